/** The time of day as the reader writes it in a language: by the browser's own region of it where it has one. */

const formats = new Map<string, Intl.DateTimeFormat>();

export function timeFormat(tag: string): Intl.DateTimeFormat {
  const format = formats.get(tag) ?? new Intl.DateTimeFormat(regionsOf(tag), { timeStyle: 'short' });
  formats.set(tag, format);
  return format;
}

/** Makes the format before it is needed. The browser's tables for the first one of a page take a slow phone 50 ms: `maximize()`
 *  reads a third of them, so that no task is that long. */
export function prepareTimeFormat(tag: string): void {
  if (formats.has(tag)) return;
  setTimeout(() => {
    new Intl.Locale(tag).maximize();
    setTimeout(timeFormat, 0, tag);
  });
}

/** Where the browser names a region of the language, its conventions apply. */
export function regionsOf(tag: string): string[] {
  return [...navigator.languages.filter((language) => isRegionOf(tag, language)), tag];
}

/** Whether both have one language and script. A region of `tag` is not replaced. */
function isRegionOf(tag: string, candidate: string): boolean {
  const wanted = new Intl.Locale(tag);
  const locale = parseLocale(candidate);
  if (locale?.language !== wanted.language || (wanted.region && wanted.region !== locale.region)) return false;
  return wanted.maximize().script === locale.maximize().script;
}

/** `undefined`: some browsers name locales that are no BCP 47 tags, such as `C`. */
function parseLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}
