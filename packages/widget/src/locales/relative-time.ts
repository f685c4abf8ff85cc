/** Times of posts: relative for a week, then the date; and the exact time. */

const units = [
  ['second', 60], ['minute', 60], ['hour', 24], ['day', 7],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];

type Formats = ReturnType<typeof createFormats>;

const formats = new Map<string, Formats>();

/** Less than a minute ago, and a future that another clock has written, are now. */
export function relativeTime(tag: string, at: number, now = Date.now()): string {
  const { relative, date } = formatsOf(tag);
  let value = Math.max(0, now - at) / 1000;
  for (const [unit, length] of units) {
    if (value < length) return relative.format(unit === 'second' ? 0 : -Math.floor(value), unit);
    value /= length;
  }
  return date.format(at);
}

/** Date and time of day. */
export function exactTime(tag: string, at: number): string {
  return formatsOf(tag).exact.format(at);
}

function formatsOf(tag: string): Formats {
  const found = formats.get(tag) ?? createFormats(tag);
  formats.set(tag, found);
  return found;
}

/** Where the browser names a region of the language, its conventions apply. (Some browsers name `en-US@posix`.) */
function createFormats(tag: string) {
  const regions = [...navigator.languages.filter((language) => language.startsWith(`${tag}-`) && !language.includes('@')), tag];
  return {
    relative: new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }),
    date: new Intl.DateTimeFormat(regions, { dateStyle: 'medium' }),
    exact: new Intl.DateTimeFormat(regions, { dateStyle: 'full', timeStyle: 'short' }),
  };
}
