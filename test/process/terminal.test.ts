/** `vestibule serve` in a terminal, as an operator starts it by hand. `script` (util-linux) is the terminal. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { vestibule } from '../lib/vestibule-command.ts';
import { nodeEnvironment } from '../lib/vestibule-process.ts';
import { startProcessWorld, type ProcessWorld } from './_service.ts';

/** Settings about which the BFF has nothing to say. */
const behindTls = { VESTIBULE_PUBLIC_URL: 'https://www.example.test/vestibule', VESTIBULE_TRUST_PROXY: 'loopback' };

const CONTROL_C = '\x03';

let world: ProcessWorld;
before(async () => { world = await startProcessWorld(); });
after(() => world[Symbol.asyncDispose]());

/** What stands in the terminal of `vestibule serve`, which is ended by Control-C once it listens, and how it ended. */
async function typed(): Promise<{ text: string; status: number | null }> {
  const command = `exec '${process.execPath}' ${vestibule.map((part) => `'${part}'`).join(' ')} serve`;
  const terminal = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    env: { ...nodeEnvironment(), TERM: 'xterm', SHELL: '/bin/sh', ...world.env, ...behindTls }, stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(terminal, 'close') as Promise<[number | null]>;
  let text = '';
  terminal.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    if (!text.includes('listening') && (text + chunk).includes('listening')) terminal.stdin.write(CONTROL_C);
    text += chunk;
  });
  const [status] = await closed;
  return { text, status };
}

describe('vestibule serve in a terminal', () => {
  it('writes its log for people, one line an event, and ends at Control-C', async () => {
    const { text, status } = await typed();
    assert.equal(status, 0, text);
    const lines = stripVTControlCharacters(text).replaceAll('^C', '').split('\r\n').filter((line) => line !== '');
    assert.deepEqual(lines.map((line) => line.replace(/^\[\d\d:\d\d:\d\d\.\d{3}\] /, '').replace(/ \{.*/, '')), [
      'INFO: listening', 'INFO: draining', 'INFO: stopped',
    ]);
  });
});
