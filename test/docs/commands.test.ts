/** The commands of the documentation: each names scripts, commands, options, settings and files that there are, and what a
 *  newcomer types first is typed here. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { settingOf } from '../../packages/bff/src/config/env.ts';
import { createProgram } from '../../packages/bff/src/cli/program.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { codeBlocks, codeSpans, documents, placeOf, readDocument, root, type CodeBlock } from './_documents.ts';

const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: Readonly<Record<string, string>> };
const kubernetes = await readFile(join(root, 'packages/bff/deploy/kubernetes.yaml'), 'utf8');
const program = createProgram(() => undefined);

const COMMAND = /^(?:npm|npx|vestibule|node|docker|kubectl|export) /;

/** Programs of every Unix shell whose words are not checked. */
const SHELL_PROGRAMS: ReadonlySet<string> = new Set(['mkdir', 'cd', 'openssl', 'printf', 'set', '.', 'cp', 'mv', 'jq', 'curl', 'systemctl', 'redis-cli', 'journalctl', 'chmod']);

/** The command in a container of the image. */
const IN_CONTAINER = / node packages\/bff\/bin\/vestibule\.js(.*)$/;

/** The simple commands of a line or a block. */
function commandsOf(code: string): string[] {
  return code.replace(/\\\n\s*/g, '').split(/\n|&&/).map((line) => line.replace(/(?:^|\s)#.*$/, '').trim()).filter((line) => line !== '');
}

/** Why a command is none, or `undefined`. */
function faultOf(command: string): string | undefined {
  if (SHELL_PROGRAMS.has(command.split(' ', 1)[0] ?? '')) return undefined;
  if (command.startsWith('vestibule-command ')) return vestibuleFault(command.split(/\s+/).slice(1));
  const [, inContainer] = IN_CONTAINER.exec(command) ?? [];
  if (inContainer !== undefined) return vestibuleFault(inContainer.trim().split(/\s+/));
  const [first = '', ...words] = command.replace(/\$\(.*?\)/g, '').split(/\s+/).map((word) => word.replaceAll('"', ''));
  switch (first) {
    case 'npm': return npmFault(words);
    case 'npx': return words[0] === '…' || words[0] === '@vestibule/bff' ? vestibuleFault(words.slice(1)) : `the program ${words[0]}`;
    case 'vestibule': return vestibuleFault(words);
    case 'node': return words.filter((word) => /\.(?:js|ts)$/.test(word) && !existsSync(join(root, word)))[0];
    case 'docker': return dockerFault(words);
    case 'kubectl': return words[0] === 'logs' ? selectorFault(words) : fileFault(words);
    case 'export': return words.map((word) => word.split('=')[0] ?? '').find((name) => name !== 'PATH' && !isVariable(name));
    default: return 'an unknown program';
  }
}

function dockerFault([verb, ...words]: readonly string[]): string | undefined {
  if (verb === 'compose' && (words[0] === 'logs' || words[0] === 'restart')) return undefined;
  if (verb === 'logs' || verb === 'cp') return /^vestibule(?::\/data\/|$)/.test(words[0] ?? '') ? undefined : 'the container';
  if (verb === 'run') return vestibuleFault(words.slice(words.lastIndexOf('vestibule') + 1));
  return fileFault(words);
}

/** The label of the pods. */
function selectorFault(words: readonly string[]): string | undefined {
  const [name = '', value = ''] = words[words.indexOf('--selector') + 1]?.split('=') ?? [];
  return kubernetes.includes(`      labels: { ${name}: ${value} }`) ? undefined : 'the selector';
}

function fileFault(words: readonly string[]): string | undefined {
  return words.includes('-f') && existsSync(join(root, words[words.indexOf('-f') + 1] ?? '')) ? undefined : 'the file';
}

function npmFault(words: readonly string[]): string | undefined {
  const [verb = '', name = ''] = words.filter((word) => word !== '--global');
  if (verb === 'ci' || verb === 'init' || verb === 'publish' || verb === 'pack' || (verb === 'install' && /^(?:@vestibule\/|\.\/vestibule-\w+-[\d.]+\.tgz$)/.test(name))) return undefined;
  if (verb === 'run') return name === '…' || Object.hasOwn(scripts, name) ? undefined : `the script ${name}`;
  return Object.hasOwn(scripts, verb) ? undefined : `npm ${verb}`;
}

function vestibuleFault([name, ...words]: readonly string[]): string | undefined {
  if (name === undefined || name === '…' || name === 'COMMAND' || name === 'help' || name === '--help') return undefined;
  const command = program.commands.find((one) => one.name() === name);
  if (!command) return `the command ${name}`;
  const subcommand = command.commands.find((one) => one.name() === words[0]);
  if (command.commands.length > 0 && /^[a-z]/.test(words[0] ?? '') && !subcommand) return `the command ${words[0]}`;
  const options = [...command.options, ...subcommand?.options ?? []].map(({ long }) => long);
  return words.find((word) => word.startsWith('--') && word !== '--help' && !options.includes(word));
}

function isVariable(name: string): boolean {
  return name === 'VESTIBULE_CONFIG' || settingOf(name.replace(/_FILE$/, '')) !== undefined;
}

describe('a command of the documentation', async () => {
  const shell = await codeBlocks('sh');
  for (const block of shell) {
    it(`is one: ${placeOf(block)}`, () => {
      assert.deepEqual(commandsOf(block.code).map(faultOf).filter((fault) => fault !== undefined), []);
    });
  }

  for (const block of await codeBlocks('dockerfile')) {
    it(`copies the configuration to the path that it names: ${placeOf(block)}`, () => {
      const [, copied] = /^COPY \S+ (\S+)$/m.exec(block.code) ?? [];
      const [, name = '', path] = /^ENV (\w+)=(\S+)$/m.exec(block.code) ?? [];
      assert.equal(path, copied);
      assert.ok(isVariable(name));
    });
  }

  for (const document of documents) {
    it(`is one within a sentence, and so is a variable: ${document}`, async () => {
      const spans = codeSpans(await readDocument(document));
      const commands = spans.filter((span) => COMMAND.test(span)).flatMap(commandsOf);
      assert.deepEqual(commands.filter((command) => faultOf(command) !== undefined), []);
      const options = spans.filter((span) => /^--[a-z]+ [A-Z]+$/.test(span)).map((span) => span.split(' ')[0]);
      const known = program.commands.flatMap((one) => one.options.map(({ long }) => long));
      assert.deepEqual(options.filter((name) => !known.includes(name)), []);
      const variables = spans.flatMap((span) => span.match(/\bVESTIBULE_[A-Z_]+/g) ?? []);
      assert.deepEqual(variables.filter((name) => !isVariable(name) && !name.startsWith('VESTIBULE_TEST_')), []);
    });
  }

  it('leads every script of the workspace that is meant for people', async () => {
    const text = (await Promise.all(documents.map(readDocument))).join('\n');
    const untold = Object.keys(scripts).filter((name) => name !== 'prepare' && !new RegExp(`npm (?:run )?${name}\\b`).test(text));
    assert.deepEqual(untold, []);
  });

  it('starts the demonstration', async () => {
    await using started = startShell('npm start', { PORT: '0' });
    const url = await started.said(/runs at (http:\/\/localhost:\d+\/)/);
    assert.equal((await fetch(url)).status, 200);
  });

  const deployments = shell.filter(({ code }) => code.includes('@vestibule/bff serve'));
  assert.ok(deployments.length >= 3);
  for (const block of deployments) {
    it(`starts the BFF as it stands there, but for keys and the port: ${placeOf(block)}`, async () => {
      await using directory = await temporaryDirectory();
      const script = await asTyped(block, directory.path);
      await using started = startShell(script, { PORT: '0', VESTIBULE_STORE: 'memory:', SECRET_KEY: 'a-key' }, directory.path);
      const port = await started.said(/"port":(\d+).*"listening"|"listening".*"port":(\d+)/);
      assert.equal((await fetch(`http://127.0.0.1:${port}/vestibule/readyz`)).status, 200);
      const { limits } = await (await fetch(`http://127.0.0.1:${port}/vestibule/session`)).json() as { limits: object };
      assert.deepEqual(limits, { message_max_length: 10_000 });
    });
  }
});

/** In a folder as after the installation: keys for `…`, files of settings and secrets; without `npm install`, and without
 *  `check`, which sends requests to the service. */
async function asTyped({ code }: CodeBlock, directory: string): Promise<string> {
  await writeFile(join(directory, 'secret-key'), 'a-secret-key\n');
  await writeFile(join(directory, 'cookie-secrets'), 'a cookie secret that is thirty-two bytes long or more\n');
  await writeFile(join(directory, 'package.json'), '{}');
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  const [settings] = (await codeBlocks('ini')).filter(({ document }) => document === 'docs/install.md');
  await writeFile(join(directory, 'vestibule.env'), settings?.code ?? '');
  const typed = code.replaceAll('…', 'a-key').replaceAll('/run/secrets', directory);
  assert.match(typed, /\nnpx @vestibule\/bff (?:check && npx @vestibule\/bff )?serve/);
  return typed.replace(/^npm install .*$/m, '').replace(/npx @vestibule\/bff check(?: && |$)/m, '').replace('npx @vestibule/bff serve', 'exec npx @vestibule/bff serve');
}

function startShell(script: string, env: Readonly<Record<string, string>>, directory = root) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('bash', ['-euc', script], { cwd: directory, env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const ended = once(child, 'close');
  const lines = createInterface(child.stdout);
  return {
    /** The first group that is found, once it was said. */
    async said(pattern: RegExp): Promise<string> {
      for await (const line of lines) {
        const [, ...groups] = pattern.exec(line) ?? [];
        const group = groups.find((one) => one !== undefined);
        if (group !== undefined) return group;
      }
      return assert.fail(`it ended without saying ${String(pattern)}`);
    },
    async [Symbol.asyncDispose]() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
      child.stdout.resume();
      await ended;
    },
  };
}
