import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from './open-store.ts';

const silent = { info: () => undefined, warn: () => undefined };

describe('openStore', () => {
  it('opens the store that the address names', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'vestibule-store-'));
    try {
      await using memory = await openStore('memory:', silent);
      await using sqlite = await openStore(`sqlite:${join(directory, 'store.db')}`, silent);
      assert.deepEqual([memory.kind, sqlite.kind], ['memory', 'sqlite']);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('takes the address of a Redis for one', async () => {
    await assert.rejects(openStore('redis://one,two', silent), /^Error: only redis\+cluster:\/\/ and redis\+sentinel:\/\/ addresses have several hosts$/);
  });

  it('rejects an unknown scheme without quoting the address', async () => {
    await assert.rejects(openStore('mysql://user:secret@host', silent), { message: 'The store address has an unknown scheme.' });
  });
});
