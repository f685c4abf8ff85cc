/** The checks that are not tests: commands with exit status 0 if they find no fault. */

import { toolScript, fromRoot } from './paths.ts';
import { runCommand } from './run-command.ts';

interface Check {
  readonly name: string;
  /** Arguments of `node`. */
  readonly args: readonly string[];
}

const packages = ['shared', 'bff', 'widget'];

const checks: readonly Check[] = [
  { name: 'types', args: [toolScript('typescript/bin/tsc'), '--build'] },
  {
    name: 'lint',
    args: [
      toolScript('eslint/bin/eslint.js'), '.', '--max-warnings=0',
      '--cache', '--cache-strategy=content', `--cache-location=${fromRoot('node_modules/.cache/eslint')}`,
    ],
  },
  { name: 'imports', args: [toolScript('dependency-cruiser/bin/dependency-cruiser.mjs'), ...packages.map((name) => `packages/${name}/src`)] },
  { name: 'custom elements', args: [fromRoot('scripts/check-manifest.ts')] },
  { name: 'packages', args: [fromRoot('scripts/check-packages.ts')] },
  { name: 'unused', args: [toolScript('knip/bin/knip.js'), '--no-config-hints'] },
];

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly output: string;
  readonly seconds: number;
}

/** Runs one check after the other. */
export async function* runChecks(): AsyncGenerator<CheckResult> {
  for (const { name, args } of checks) {
    const startedAt = performance.now();
    const { exitCode, output } = await runCommand(process.execPath, args, { timeoutMs: 5 * 60_000, output: 'collect' });
    yield { name, ok: exitCode === 0, output, seconds: (performance.now() - startedAt) / 1000 };
  }
}
