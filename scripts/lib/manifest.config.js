/** Configuration of the analyzer (see `check-manifest.ts`): elements, events and registration, public members only. */

const isPublic = (module) => /^src\/(?:elements\/(?:comments|sync)\/vestibule-\w+|events\/[\w-]+|index|define)\.ts$/.test(module.path);

const publicOnly = {
  name: 'vestibule:public-only',
  packageLinkPhase({ customElementsManifest: manifest }) {
    manifest.modules = manifest.modules.filter(isPublic);
    for (const declaration of manifest.modules.flatMap((module) => module.declarations)) {
      declaration.members = declaration.members?.filter((member) => member.privacy !== 'private');
      declaration.events = declaration.events?.filter((event) => event.name?.startsWith('vestibule-'));
    }
  },
};

export default {
  litelement: true,
  globs: ['src/**/*.ts'],
  exclude: ['**/*.test.ts', '**/_*.ts'],
  outdir: '../../.artifacts',
  packagejson: false,
  quiet: true,
  plugins: [publicOnly],
};
