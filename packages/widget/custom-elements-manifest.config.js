/** Configuration of the analyzer, which writes `custom-elements.json` before the package is packed: elements, events and
 *  registration, public members only, at the paths of the published package. */

const isPublic = (module) => /^src\/(?:(?:comments|sync)\/vestibule-\w+|events|index|define)\.ts$/.test(module.path);

const published = {
  name: 'vestibule:published',
  packageLinkPhase({ customElementsManifest: manifest }) {
    manifest.modules = manifest.modules.filter(isPublic).sort((one, other) => one.path.localeCompare(other.path, 'en'));
    for (const declaration of manifest.modules.flatMap((module) => module.declarations)) {
      declaration.members = declaration.members?.filter((member) => member.privacy !== 'private');
      declaration.events = declaration.events?.filter((event) => event.name?.startsWith('vestibule-'));
    }
    const paths = JSON.stringify(manifest.modules).replaceAll(/"(\/?)src\/([^"]+)\.ts"/g, '"$1dist/esm/$2.js"');
    manifest.modules = JSON.parse(paths);
  },
};

export default {
  litelement: true,
  globs: ['src/**/*.ts'],
  exclude: ['**/*.test.ts', '**/_*.ts'],
  packagejson: false,
  quiet: true,
  plugins: [published],
};
