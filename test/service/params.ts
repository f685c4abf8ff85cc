/** Parses the parameters of a query or of a form-encoded body strictly: well-formed escapes of UTF-8, no duplicate names. */

/** A fault of the sender. Names the parameter, never a value. */
export class ParamsError extends Error {
  override readonly name = 'ParamsError';
}

export type Pairs = readonly (readonly [string, string])[];

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes `application/x-www-form-urlencoded` text into pairs in the order sent. `+` is a space. */
export function decodePairs(encoded: string): [string, string][] {
  if (encoded === '') return [];
  return encoded.split('&').map((pair) => {
    const equals = pair.indexOf('=');
    if (equals <= 0) throw new ParamsError('a parameter is not name=value');
    return [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))];
  });
}

function decode(text: string): string {
  if (/%(?![\dA-Fa-f]{2})/.test(text)) throw new ParamsError('a percent sign begins no escape');
  const bytes = Buffer.from(
    text.replaceAll('+', ' ').replace(/%([\dA-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ParamsError('a parameter is not UTF-8');
  }
}

/** The values of the parameters `names` and of those of `optional` that are there. Throws where one of `names` is missing, one
 *  comes twice, or there is another. */
export function exactly<Name extends string, Optional extends string = never>(
  pairs: Pairs, names: readonly Name[], optional: readonly Optional[] = [],
): Record<Name, string> & Partial<Record<Optional, string>> {
  const found = unique(pairs);
  for (const name of found.keys()) {
    if (![...names, ...optional].includes(name as Name)) throw new ParamsError('a parameter is not of this request');
  }
  for (const name of names) if (!found.has(name)) throw new ParamsError(`${name} is missing`);
  return Object.fromEntries(found) as Record<Name, string> & Partial<Record<Optional, string>>;
}

/** `pairs` by name. Throws where a name comes twice. */
export function unique(pairs: Pairs): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (found.has(name)) throw new ParamsError('a parameter is given twice');
    found.set(name, value);
  }
  return found;
}
