/**
 * HTML's `pattern` matched in linear time (RE2): no answer of a reader can make a publisher's pattern slow. Look-around,
 * back-references and set operations are not supported; everything else means what it means in `RegExp` with the flag `v`.
 */

import { RE2JS } from 're2js';

const compiled = new Map<string, RE2JS>();

/** @throws {SyntaxError} if the pattern is not valid, or not supported in linear time */
export function compilePattern(source: string): RE2JS {
  const known = compiled.get(source);
  if (known) return known;
  new RegExp(source, 'v');
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(translate(source), RE2JS.DOTALL);
  } catch (cause) {
    throw new SyntaxError('The pattern cannot be matched in linear time.', { cause });
  }
  compiled.set(source, pattern);
  return pattern;
}

/** Whether the whole text matches. */
export function matchesPattern(source: string, text: string): boolean {
  return compilePattern(source).matches(text);
}

/** `WhiteSpace` and `LineTerminator` of ECMAScript, inside of a class. */
const SPACES = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;

const LINE_TERMINATORS = String.raw`\n\r\x{2028}\x{2029}`;

/** An escape of several characters, a group, an operation of a class, or one character. */
const TOKEN = /\\u\{([\dA-Fa-f]+)\}|\\u([\dA-Fa-f]{4})|\\c([A-Za-z])|\\(.)|(\(\?<(?![=!]))|(--|&&)|(.)/gsu;

/** Writes the pattern in the syntax of RE2. */
function translate(source: string): string {
  let inClass = false;
  return source.replace(TOKEN, (token: string, ...groups: (string | undefined)[]) => {
    const [braced, unit, control, escaped, group, operation, character] = groups;
    const hex = braced ?? unit ?? (control && (control.charCodeAt(0) % 32).toString(16));
    if (hex !== undefined) return `\\x{${hex}}`;
    if (escaped !== undefined) return translateEscape(token, escaped, inClass);
    if (group !== undefined) return inClass ? token : '(?P<';
    if (operation !== undefined && inClass) throw new SyntaxError('Set operations are not supported.');
    if (character === '[') {
      if (inClass) throw new SyntaxError('Nested classes are not supported.');
      inClass = true;
    }
    if (character === ']') inClass = false;
    return character === '.' && !inClass ? `[^${LINE_TERMINATORS}]` : token;
  });
}

function translateEscape(token: string, escaped: string, inClass: boolean): string {
  if (escaped === 's') return inClass ? SPACES : `[${SPACES}]`;
  if (escaped === 'S' && !inClass) return `[^${SPACES}]`;
  // RE2 reads these as anchors, octal escapes or quotation.
  if (/[SAzQECGKq]/.test(escaped) || (escaped === 'b' && inClass)) throw new SyntaxError('The escape is not supported.');
  return escaped === '0' ? String.raw`\x{0}` : token;
}
