/** The checks that are not tests: each is a command that ends with 0 where all is well. */

import { toolScript, fromRoot } from './paths.ts';
import { runCommand } from './run-command.ts';

interface Check {
  readonly name: string;
  /** Arguments of `node`. */
  readonly args: readonly string[];
}

const checks: readonly Check[] = [
  { name: 'types', args: [toolScript('typescript/bin/tsc'), '--build'] },
  { name: 'lint', args: [toolScript('eslint/bin/eslint.js'), '.', '--max-warnings=0'] },
  { name: 'custom elements', args: [fromRoot('scripts/check-manifest.ts')] },
  { name: 'packages', args: [fromRoot('scripts/check-packages.ts')] },
  { name: 'unused', args: [toolScript('knip/bin/knip.js'), '--no-config-hints'] },
];

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
}

/** Runs one check after the other, each to its end, and shows what it says. */
export async function* runChecks(): AsyncGenerator<CheckResult> {
  for (const { name, args } of checks) {
    console.log(`\n── ${name}`);
    const startedAt = performance.now();
    const { exitCode } = await runCommand(process.execPath, args, { timeoutMs: 5 * 60_000 });
    yield { name, ok: exitCode === 0, seconds: (performance.now() - startedAt) / 1000 };
  }
}
