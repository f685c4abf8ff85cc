/** A Redis of the benchmark's own, with an append-only file that is written every second, which is the server's default. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../lib/free-port.ts';
import { prefer } from './_measured-process.ts';

export interface RedisServer extends AsyncDisposable {
  /** As `VESTIBULE_STORE`. */
  readonly address: string;
}

export async function startRedis(): Promise<RedisServer> {
  const directory = mkdtempSync(join(tmpdir(), 'vestibule-bench-redis-'));
  const port = await freePort();
  const child = spawn(process.env['REDIS_SERVER_PATH'] || 'redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--appendonly', 'yes', '--save', ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  prefer(child.pid);
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes('Ready to accept connections')) break;
  }
  child.stdout.resume();
  return {
    address: `redis://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}
