/** The table of settings for people: the text of `settings.md` in the package of the server, and of `docs/settings.md`. */

import { defaultOf } from '../packages/bff/src/cli/settings-page.ts';
import { settings, type Setting } from '../packages/bff/src/config/settings.ts';

const titles: Readonly<Record<Setting['group'], string>> = { required: 'Required', usual: 'Usual', rare: 'Rare' };

const INTRODUCTION = `# Settings

This table is generated from the code. \`vestibule serve --help\` prints it, too.

- A setting is a variable of the environment, or a member of the file that \`VESTIBULE_CONFIG\` names (a module or JSON). The environment wins.
- A variable with \`_FILE\` at its end names a file that has the value.
- Lists are separated by commas, or by line ends in a file.
- \`HTTP_PROXY\`, \`HTTPS_PROXY\` and \`NO_PROXY\` apply to calls of the service. \`proxy.example:3128\` is read as \`http://proxy.example:3128\`.
  \`NO_PROXY\` takes names and addresses with an optional port, but no networks such as \`10.0.0.0/8\`. Loopback addresses are reached directly unless
  \`NO_PROXY\` is set and empty.
`;

export function settingsDocument(): string {
  const table = Object.entries(settings) as [string, Setting][];
  const sections = Object.entries(titles).map(([group, title]) => {
    const rows = table.filter(([, setting]) => setting.group === group).map(([name, setting]) => (
      `| ${setting.variable === undefined ? 'in the file only' : `\`${setting.variable}\``} | \`${name}\` | ${(setting.sentence + defaultOf(setting)).replaceAll('|', '\\|')} |`
    ));
    return [`## ${title}`, '', '| variable | in the file | meaning |', '| --- | --- | --- |', ...rows, ''].join('\n');
  });
  return [INTRODUCTION, ...sections].join('\n');
}
