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
