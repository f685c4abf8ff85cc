/** Text of others, prepared for a log line, a header or a page; and texts of the publisher, by language. */

/** Controls, line and paragraph separators, and the explicit bidirectional formatting characters (UAX #9). */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** `text` with every unprintable run as one space, cut to `maxLength` UTF-16 units at a code point. */
export function plainText(text: string, maxLength = 300): string {
  const line = text.slice(0, maxLength * 4).toWellFormed().replace(UNPRINTABLE, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/u, '')}…` : line;
}

/** JSON for a terminal. `JSON.stringify` escapes C0 only. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(/[\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Text for the content or a quoted attribute of an HTML page. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Texts of the publisher for readers: one text, or texts by language tag. */
export type LocalizedText = string | Readonly<Record<string, string>>;

/** The first text whose tag is, or begins, a wanted language (RFC 4647 lookup); else English; else the first. */
export function localize(text: LocalizedText, languages: readonly string[]): string {
  if (typeof text === 'string') return text;
  const byTag = new Map(Object.entries(text).map(([tag, words]) => [tag.toLowerCase(), words]));
  for (const language of [...languages, 'en']) {
    for (let tag = language.toLowerCase(); tag !== ''; tag = tag.slice(0, Math.max(tag.lastIndexOf('-'), 0))) {
      const words = byTag.get(tag);
      if (words !== undefined) return words;
    }
  }
  return byTag.values().next().value ?? '';
}
