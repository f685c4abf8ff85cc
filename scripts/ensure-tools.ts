/** `npm run tools`: installs missing browsers, Redis and nginx on Debian as root. Elsewhere it prints what to install; with
 *  `CI=true` a missing tool is a failure. */

import { access, rm, writeFile } from 'node:fs/promises';
import { runCommand } from './lib/run-command.ts';
import { findTool, tools, type Tool } from './lib/tools.ts';

/** Paths of the found tools by variable. */
export type ToolPaths = Readonly<Record<string, string>>;

/** Finds every tool, and installs missing ones if possible. Rejects in CI if one is still missing. */
export async function ensureTools(): Promise<ToolPaths> {
  let { paths, missing } = await survey();
  if (missing.length > 0 && await isDebianAsRoot()) {
    await installFromDebian(missing);
    ({ paths, missing } = await survey());
  }
  if (missing.length > 0) {
    const names = missing.map((tool) => tool.name).join(', ');
    const message = `missing: ${names}. On Debian or Ubuntu: sudo apt-get install ${packagesOf(missing).join(' ')}`;
    if (process.env['CI'] === 'true') throw new Error(message);
    console.warn(`tools: ${message}`);
  }
  return paths;
}

async function survey(): Promise<{ paths: ToolPaths; missing: Tool[] }> {
  const paths: Record<string, string> = {};
  const missing: Tool[] = [];
  for (const tool of tools) {
    const path = await findTool(tool);
    if (path === undefined) missing.push(tool);
    else paths[tool.variable] = path;
  }
  return { paths, missing };
}

async function isDebianAsRoot(): Promise<boolean> {
  return process.getuid?.() === 0 && await exists('/etc/debian_version') && await exists('/usr/bin/apt-get');
}

async function installFromDebian(missing: readonly Tool[]): Promise<void> {
  const packages = packagesOf(missing);
  console.log(`tools: installing ${packages.join(' ')}`);
  await withoutStartingServices(async () => {
    await aptGet(['update']);
    await aptGet(['install', '--yes', '--no-install-recommends', ...packages]);
  });
}

async function aptGet(args: readonly string[]): Promise<void> {
  const settings = ['-qq', '-o', 'Dpkg::Use-Pty=0', '-o', 'Acquire::Retries=3', '-o', 'DPkg::Lock::Timeout=300'];
  const { exitCode, output } = await runCommand('apt-get', [...settings, ...args], {
    env: { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
    output: 'collect',
    timeoutMs: 10 * 60_000,
  });
  if (exitCode !== 0) throw new Error(`apt-get ${args.join(' ')} failed with status ${exitCode}\n${output}`);
}

/** Prevents Debian from starting an installed server; the tests start their own. */
async function withoutStartingServices(install: () => Promise<void>): Promise<void> {
  const policy = '/usr/sbin/policy-rc.d';
  if (await exists(policy)) return install();
  await writeFile(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await install();
  } finally {
    await rm(policy, { force: true });
  }
}

function packagesOf(missing: readonly Tool[]): string[] {
  return [...new Set(missing.flatMap((tool) => tool.debianPackages))];
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(() => true, () => false);
}

if (import.meta.main) {
  try {
    for (const [variable, path] of Object.entries(await ensureTools())) console.log(`${variable}=${path}`);
  } catch (error) {
    console.error(`tools: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
