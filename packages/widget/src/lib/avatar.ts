/** The circle of a reader: up to two letters of the name, and a hue. */

/** First letters of the first and the last word, in capitals; of a script without capitals the first letter alone, because two
 *  would join or read as a word. Empty for a name without letters and digits. */
export function initials(name: string): string {
  const letters = name.split(/\s+/u).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  const [first, last] = [letters[0] ?? '', letters.at(-1) ?? ''];
  const isCased = /[\p{Lu}\p{Ll}]/u.test(first) && /[\p{Lu}\p{Ll}]/u.test(last);
  return (letters.length > 1 && isCased ? [first, last] : [first]).map((letter) => [...letter.toUpperCase()][0]).join('');
}

/** In degrees, always the same for a name. As CSS, because a page's policy may refuse `style` attributes: set the property. */
export function hueStyle(name: string): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + character.codePointAt(0)!) % 1_000_003;
  return `--hue: ${sum % 360}`;
}
