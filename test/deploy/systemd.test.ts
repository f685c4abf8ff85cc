/** The template unit of systemd, and the command that shares its settings. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const deploy = join(import.meta.dirname, '../../packages/bff/deploy');
const read = (name: string) => readFile(join(deploy, name), 'utf8');

describe('the template unit', () => {
  it('has no fault that systemd finds', async () => {
    const { stdout, stderr } = await promisify(execFile)('systemd-analyze', ['verify', '--man=no', join(deploy, 'vestibule@.service')]);
    // A line about another unit of this machine may stand beside.
    assert.doesNotMatch(stdout + stderr, /vestibule/);
  });

  it('has the settings of vestibule-command', async () => {
    const [unit, command] = await Promise.all([read('vestibule@.service'), read('vestibule-command')]);
    const ofUnit = [...unit.matchAll(/^(?:Environment=(\w+=.*)|((?:EnvironmentFile|LoadCredential|DynamicUser|User|StateDirectory\w*|UMask|WorkingDirectory)=.*))$/gm)]
      .map(([, variable, property]) => (variable ?? property ?? '').replaceAll('%i', 'NAME').replaceAll('%d', '/run/credentials/vestibule-command-NAME.service'));
    const ofCommand = [...command.matchAll(/--(?:setenv|property)="?([^"\s]+)/g)].map(([, value = '']) => value.replaceAll('$name', 'NAME'));
    assert.deepEqual(ofUnit.toSorted(), ofCommand.toSorted());
  });
});
