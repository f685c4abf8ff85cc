/** Tags under which the phrases of a language may be found. */

/** By BCP 47 tag: the language whose phrases stand in. */
const aliases: Readonly<Record<string, string>> = {
  nn: 'nb', no: 'nb', 'zh-HK': 'zh-Hant', 'zh-MO': 'zh-Hant', 'zh-TW': 'zh-Hant',
};

/** `tag` with its script, else with its region, then by itself, each followed by its alias; none if it is no language tag.
 *  Portuguese is European outside Brazil. */
export function candidates(tag: string): string[] {
  let locale: Intl.Locale;
  try {
    locale = new Intl.Locale(tag);
  } catch {
    // A suffix that is no subtag, as of `pt_PT_ao90` of WordPress.
    const shorter = tag.replace(/-[^-]*$/, '');
    return shorter === tag ? [] : candidates(shorter);
  }
  const { language, script, region } = locale;
  const european = language === 'pt' && region && region !== 'BR' ? ['pt-PT'] : [];
  return [`${language}-${script ?? region}`, ...european, language].flatMap((name) => [name, aliases[name] ?? []].flat());
}
