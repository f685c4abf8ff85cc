/** Configuration of the analyzer, which writes `custom-elements.json` before the package is packed: elements, events and
 *  registration, public members only, at the paths of the published package. From it, data for editors in
 *  `dist/types`, and the end of `README.md`. */

import { readFileSync, writeFileSync } from 'node:fs';
import { customElementJetBrainsPlugin } from 'custom-element-jet-brains-integration';
import { customElementVsCodePlugin } from 'custom-element-vs-code-integration';

const isPublic = (module) => /^src\/(?:(?:element|count|form)\/vestibule-\w+|events\/events|index|define)\.ts$/.test(module.path);

/** The comment box first. */
const ranked = ({ path }) => path.startsWith('src/element/') ? '' : path;

/** Properties between the elements of the package. The analyzer overlooks `@internal` on a declared field. */
const internal = ['ownPosts', 'list', 'parent', 'replyTo', 'connectedMoveCallback', 'text', 'client', 'mayLeave', 'openers'];
const isListed = ({ name, privacy }) => privacy !== 'private' && !internal.includes(name);

const published = {
  name: 'vestibule:published',
  packageLinkPhase({ customElementsManifest: manifest }) {
    manifest.modules = manifest.modules.filter(isPublic).sort((one, other) => ranked(one).localeCompare(ranked(other), 'en'));
    for (const declaration of manifest.modules.flatMap((module) => module.declarations)) {
      declaration.members = declaration.members?.filter(isListed);
      declaration.attributes = declaration.attributes?.filter(isListed);
      declaration.events = declaration.events?.filter((event) => event.name?.startsWith('vestibule-'))
        .map((event) => ({ ...event, type: { text: `HTMLElementEventMap['${event.name}']` } }));
    }
    const paths = JSON.stringify(manifest.modules).replaceAll(/"(\/?)src\/([^"]+)\.ts"/g, '"$1dist/esm/$2.js"');
    manifest.modules = JSON.parse(paths);
  },
};

/** Lists what a page styles at the end of `README.md`. */
const readme = {
  name: 'vestibule:readme',
  packageLinkPhase({ customElementsManifest: { modules } }) {
    const list = (title, entries = []) => (entries.length === 0 ? '' : `\n${title}:\n\n${entries.map(item).join('\n')}\n`);
    // A default with blanks is in `custom-elements.json` only.
    const item = ({ name, default: value = ' ', description }) => `- \`${name}\`${value.includes(' ') ? '' : ` (\`${value}\`)`}: ${description}`;
    const described = new Set();
    /** Properties with the default of an element before are named only. */
    const properties = (all = []) => {
      const isNew = ({ name, default: value }) => !described.has(`${name} ${value}`);
      const [own, others] = [all.filter(isNew), all.filter((property) => !isNew(property))];
      for (const { name, default: value } of own) described.add(`${name} ${value}`);
      const names = others.map(({ name }) => `\`${name}\``).join(', ');
      return list('Custom properties', own) + (names && `\nCustom properties as above: ${names}.\n`);
    };
    const sections = modules.flatMap(({ declarations }) => declarations).filter(({ tagName }) => tagName)
      .map(({ tagName, cssParts, cssStates, cssProperties }) => `### \`<${tagName}>\`\n${
        list('Parts', cssParts)}${list('States', cssStates)}${properties(cssProperties)}`);
    const [text] = readFileSync('README.md', 'utf8').split(/(?<=\n## Styling\n)/);
    writeFileSync('README.md', `${text}\n${sections.join('\n')}`);
  },
};

const outdir = 'dist/types';

export default {
  litelement: true,
  globs: ['src/**/*.ts'],
  exclude: ['**/*.test.ts', '**/_*.ts'],
  packagejson: false,
  quiet: true,
  plugins: [
    published,
    readme,
    customElementVsCodePlugin({ outdir, hideLogs: true }),
    customElementJetBrainsPlugin({ outdir, packageJson: false, hideLogs: true }),
  ],
};
