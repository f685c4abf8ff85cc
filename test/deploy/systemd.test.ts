/** The systemd unit, read by systemd itself, and what it sets. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { configOf, home, objectionsTo, secrets } from './_deployment.ts';

const run = promisify(execFile);
const file = fileURLToPath(new URL('deploy/vestibule.service', home));
const analyze = process.env['SYSTEMD_ANALYZE_PATH'] || 'systemd-analyze';

/** Of 10, as `systemd-analyze security` counts. */
const MAX_EXPOSURE = 1.5;

/** What an operator writes into `EnvironmentFile`. */
const written: Readonly<Record<string, string>> = {
  VESTIBULE_SERVICE_URL: 'https://comments.example.net',
  VESTIBULE_PUBLIC_KEY: 'the-public-key',
  VESTIBULE_FORUMS: 'news',
  VESTIBULE_PUBLIC_URL: 'https://www.example.com/vestibule',
};

describe('the systemd unit', () => {
  let settings: readonly (readonly [name: string, value: string])[];
  before(async () => {
    const text = await readFile(file, 'utf8');
    settings = [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
  });
  const all = (name: string) => settings.filter(([setting]) => setting === name).map(([, value]) => value);

  it('passes systemd-analyze verify', async () => {
    const { stdout, stderr } = await run(analyze, ['verify', '--man=no', file]);
    assert.equal(stdout + stderr, '');
  });

  it(`is exposed by ${MAX_EXPOSURE} of 10 at most`, async () => {
    const { stdout } = await run(analyze, ['security', '--offline=true', '--no-pager', `--threshold=${MAX_EXPOSURE * 10}`, file]);
    assert.match(stdout, /Overall exposure level for vestibule\.service: \d/);
  });

  it('starts with complete settings that `vestibule check` accepts, and with its secrets as credentials', async () => {
    const credentials = all('LoadCredential').map((value) => value.split(':')[0]);
    const own = Object.fromEntries(all('Environment').map((pair) => pair.split(/=(.*)/, 2)) as [string, string][]);
    const config = await configOf({ ...written, ...own }, (path) => credentials.find((name) => path === `%d/${name}`));
    assert.deepEqual(objectionsTo(config), []);
    assert.equal(config.secretKey, secrets['secret-key']);
    assert.ok(config.store.startsWith(`sqlite:/var/lib/${all('StateDirectory')[0]}/`));
    assert.ok(Number(all('TimeoutStopSec')[0]) * 1_000 > config.drainDelayMs + config.drainTimeoutMs);
  });

  it('has the same settings in vestibule-command, which runs a command with them', async () => {
    const script = fileURLToPath(new URL('deploy/vestibule-command', home));
    await using directory = await temporaryDirectory();
    const stub = join(directory.path, 'systemd-run');
    await writeFile(stub, '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const { stdout } = await run(script, ['readers', 'delete', '31 007'], { env: { PATH: `${directory.path}:${process.env['PATH']}` } });
    const lines = stdout.trimEnd().split('\n');
    assert.deepEqual(lines.slice(-5), ['/usr/bin/env', 'vestibule', 'readers', 'delete', '31 007']);
    const given = (option: string) => lines.filter((line) => line.startsWith(`${option}=`)).map((line) => line.slice(option.length + 1));
    const [unit] = given('--unit');
    assert.deepEqual(given('--setenv').map((pair) => pair.replace(`/run/credentials/${unit}.service/`, '%d/')).toSorted(), all('Environment').toSorted());
    for (const property of given('--property')) {
      const [name = '', value] = property.split(/=(.*)/);
      assert.ok(all(name).includes(value ?? ''), property);
    }
    for (const name of ['DynamicUser', 'User', 'StateDirectory', 'EnvironmentFile', 'LoadCredential']) {
      assert.deepEqual(given('--property').filter((property) => property.startsWith(`${name}=`)).map((property) => property.slice(name.length + 1)), all(name));
    }
  });

  it('always restarts, without a limit', () => {
    assert.deepEqual([all('Restart'), all('StartLimitIntervalSec'), all('RestartPreventExitStatus')], [['always'], ['0'], []]);
  });
});
