import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';

const PROCESSES = 8;
const NONCES_A_PROCESS = 50_000;

describe('nonces', () => {
  it('of 8 processes whose clocks stand still are 400,000 different ones', async () => {
    const seen = new Set<string>();
    await Promise.all(Array.from({ length: PROCESSES }, async () => {
      const script = join(import.meta.dirname, '_nonce-process.ts');
      const child = spawn(process.execPath, ['--conditions=@vestibule/source', script, String(NONCES_A_PROCESS)], { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(child, 'exit');
      for await (const nonce of createInterface({ input: child.stdout })) seen.add(nonce);
      assert.deepEqual(await ended, [0, null]);
    }));
    assert.equal(seen.size, PROCESSES * NONCES_A_PROCESS);
    for (const nonce of seen) assert.match(nonce, /^1700000000\.123:[\w-]{1,32}$/);
  });
});
