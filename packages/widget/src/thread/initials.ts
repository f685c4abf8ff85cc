/** The circle beside a post: up to two letters of the author's name, and one of six tints. */

const TINTS = 6;

/** First letters of the first and the last word, in capitals; of a script without capitals the first letter alone, because two
 *  would join or read as a word. Empty for a name without letters and digits. */
export function initials(name: string): string {
  const letters = name.split(/\s+/u).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  const [first, last] = [letters[0] ?? '', letters.at(-1) ?? ''];
  const isCased = /[\p{Lu}\p{Ll}]/u.test(first) && /[\p{Lu}\p{Ll}]/u.test(last);
  return (letters.length > 1 && isCased ? [first, last] : [first]).map((letter) => [...letter.toUpperCase()][0]).join('');
}

/** The same name always has the same tint: 0 to 5. */
export function tint(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + character.codePointAt(0)!) % 1_000_003;
  return sum % TINTS;
}
