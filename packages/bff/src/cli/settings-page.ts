/** The settings as a page for people, from their table: required, usual and rare ones. */

import { settings, type Setting } from '../config/settings.ts';

const titles: Readonly<Record<Setting['group'], string>> = { required: 'Required', usual: 'Usual', rare: 'Rare' };

export function settingsPage(): string {
  const table = Object.entries(settings) as [string, Setting][];
  const sections = Object.entries(titles).map(([group, title]) => {
    const rows = table.filter(([, setting]) => setting.group === group).map(([name, setting]) => (
      `- ${setting.variable ?? 'in the file only'} (\`${name}\`): ${setting.sentence}${defaultOf(setting)}`
    ));
    return [`## ${title}`, '', ...rows].join('\n');
  });
  return ['# Settings', '', 'Names in brackets are those of the file that `VESTIBULE_CONFIG` names. A variable that ends in `_FILE` reads the value from a file.', '', sections.join('\n\n'), ''].join('\n');
}

/** Such as ` Default: `8080`.`; empty without one. */
export function defaultOf({ schema }: Setting): string {
  const { data } = schema.safeParse(undefined);
  if (data === undefined) return '';
  const pairs = typeof data === 'object' ? Object.entries(data as object).filter(([, value]) => typeof value === 'number') : undefined;
  if (pairs?.length === 0) return '';
  return ` Default: \`${pairs ? pairs.map((pair) => pair.join('=')).join(',') : String(data)}\`.`;
}
