/** Checks that `packages/widget/custom-elements.json` matches the elements' sources. `npm run analyze` writes it. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { artifactsDirectory, fromRoot, shortPath, toolScript } from './lib/paths.ts';
import { runScript } from './lib/run-command.ts';

interface Manifest {
  readonly modules: { readonly path: string }[];
}

const committed = fromRoot('packages/widget/custom-elements.json');

const current = await analyze();
if (process.argv.includes('--write')) {
  await writeFile(committed, current);
  console.log(`wrote ${shortPath(committed)}`);
} else if (current === await readFile(committed, 'utf8').catch(() => '')) {
  console.log(`${shortPath(committed)} is current`);
} else {
  console.error(`${shortPath(committed)} differs from the sources: run \`npm run analyze\` and review the change.`);
  process.exitCode = 1;
}

/** Analyzes the sources; module paths are those of the published package. */
async function analyze(): Promise<string> {
  await mkdir(artifactsDirectory, { recursive: true });
  const { exitCode, output } = await runScript(
    toolScript('@custom-elements-manifest/analyzer/cem.js'), ['analyze', '--config', '../../scripts/lib/manifest.config.js'],
    { cwd: fromRoot('packages/widget'), output: 'collect' },
  );
  if (exitCode !== 0) throw new Error(`the analyzer failed with status ${exitCode}\n${output}`);
  const manifest = JSON.parse(await readFile(`${artifactsDirectory}/custom-elements.json`, 'utf8')) as Manifest;
  manifest.modules.sort((one, other) => one.path.localeCompare(other.path, 'en'));
  return `${JSON.stringify(manifest, null, 2).replaceAll(/"(\/?)src\/([^"]+)\.ts"/g, '"$1dist/esm/$2.js"')}\n`;
}
