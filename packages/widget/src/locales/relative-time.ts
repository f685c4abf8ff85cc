/** Times of posts: relative for a week, then the date; and the exact time. */

import { byLanguage } from './by-language.ts';

const units = [
  ['second', 60], ['minute', 60], ['hour', 24], ['day', 7],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];

/** Beside a name, `Intl` says the moment too baldly: “now”, “jetzt”. It does for a language that the page has registered. */
const justNow: Readonly<Record<string, string>> = {
  ar: 'الآن تمامًا', cs: 'právě teď', da: 'lige nu', de: 'gerade eben', en: 'just now', es: 'ahora mismo',
  fi: 'juuri nyt', fr: 'à l’instant', he: 'ממש עכשיו', it: 'proprio ora', ja: 'たった今', ko: '방금', nb: 'akkurat nå',
  nl: 'zojuist', pl: 'przed chwilą', pt: 'agora mesmo', 'pt-PT': 'agora mesmo', sv: 'just nu', tr: 'az önce', uk: 'щойно',
  zh: '刚刚', 'zh-Hant': '剛剛',
};

/** Where the browser names a region of the language, its conventions apply. (Some browsers name `en-US@posix`.) */
const regionsOf = (tag: string): string[] => (
  [...navigator.languages.filter((language) => language.startsWith(`${tag}-`) && !language.includes('@')), tag]
);

const relativeOf = byLanguage((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));
const dateOf = byLanguage((tag) => new Intl.DateTimeFormat(regionsOf(tag), { dateStyle: 'medium' }));
const datesOf = byLanguage(() => new Map<number, string>());
const exactOf = byLanguage((tag) => new Intl.DateTimeFormat(regionsOf(tag), { dateStyle: 'full', timeStyle: 'short' }));

/** Less than a minute ago, and a future that another clock has written, are just now. */
export function relativeTime(tag: string, at: number, now = Date.now()): string {
  let value = Math.max(0, now - at) / 1000;
  for (const [unit, length] of units) {
    if (value < length) {
      return (unit === 'second' && justNow[tag]) || relativeOf(tag).format(unit === 'second' ? 0 : -Math.floor(value), unit);
    }
    value /= length;
  }
  // A thread has hundreds of them in each update.
  const dates = datesOf(tag);
  const date = dates.get(at) ?? dateOf(tag).format(at);
  dates.set(at, date);
  return date;
}

/** Date and time of day. */
export function exactTime(tag: string, at: number): string {
  return exactOf(tag).format(at);
}
