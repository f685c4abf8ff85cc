/** Times of posts: relative for a week, then the date; and the exact time. */

import { byLanguage } from './by-language.ts';

const units = [
  ['second', 60], ['minute', 60], ['hour', 24], ['day', 7],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];

/** Where the browser names a region of the language, its conventions apply. (Some browsers name `en-US@posix`.) */
const regionsOf = (tag: string): string[] => (
  [...navigator.languages.filter((language) => language.startsWith(`${tag}-`) && !language.includes('@')), tag]
);

const relativeOf = byLanguage((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));
const dateOf = byLanguage((tag) => new Intl.DateTimeFormat(regionsOf(tag), { dateStyle: 'medium' }));
const exactOf = byLanguage((tag) => new Intl.DateTimeFormat(regionsOf(tag), { dateStyle: 'full', timeStyle: 'short' }));

/** Less than a minute ago, and a future that another clock has written, are now. */
export function relativeTime(tag: string, at: number, now = Date.now()): string {
  let value = Math.max(0, now - at) / 1000;
  for (const [unit, length] of units) {
    if (value < length) return relativeOf(tag).format(unit === 'second' ? 0 : -Math.floor(value), unit);
    value /= length;
  }
  return dateOf(tag).format(at);
}

/** Date and time of day. */
export function exactTime(tag: string, at: number): string {
  return exactOf(tag).format(at);
}
