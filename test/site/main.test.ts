import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../lib/temporary-directory.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

describe('the demonstration as a process', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`prints the address to open, and ends cleanly at ${signal}`, async () => {
      await using directory = await temporaryDirectory();
      const child = spawn(process.execPath, ['--conditions=@vestibule/source', main], {
        env: { PORT: '0', DEMO_DIRECTORY: directory.path }, stdio: ['ignore', 'pipe', 'inherit'],
      });
      let url: string | undefined;
      for await (const line of createInterface(child.stdout)) {
        url ??= /runs at (http:\/\/localhost:\d+\/)/.exec(line)?.[1];
        if (line.includes('Ctrl+C')) break;
      }
      assert.equal((await fetch(`${url}articles/lamplighter`)).status, 200);
      child.kill(signal);
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    });
  }
});
