/** Mutations of the store: encryption and compare-and-set. */

import type { Mutation } from './mutation.ts';

const bff = 'packages/bff/src';
const leaks = 'test/security/leaks.test.ts';
const leak = 'through 60 flows, failures included: not to a log, a problem, an address, the bundle or a plain byte of the store';

export const storeMutations: readonly Mutation[] = [
  {
    name: 'the store holds plain text',
    file: `${bff}/store/record-cipher.ts`,
    find: "return `${id}.${Buffer.concat([iv, ciphertext, cipher.getAuthTag()]).toString('base64url')}`;",
    replace: 'return `${id}.${plaintext}`;',
    test: { file: leaks, name: leak },
  },
  {
    name: 'an IV is used twice',
    file: `${bff}/store/record-cipher.ts`,
    find: 'const iv = randomBytes(IV_BYTES);',
    replace: 'const iv = Buffer.alloc(IV_BYTES);',
    test: { file: `${bff}/store/record-cipher.test.ts`, name: 'never repeats an IV' },
  },
  {
    name: 'a lost update: compare-and-set does not compare',
    file: `${bff}/store/memory-store.ts`,
    find: 'if (entry?.value !== expected) return false;',
    replace: 'if (!entry) return false;',
    test: { file: `${bff}/store/memory-store.test.ts`, name: 'writes if the value is exactly the expected one' },
  },
  {
    name: 'a lost update in SQLite: compare-and-set does not compare',
    file: `${bff}/store/sqlite-batches.ts`,
    find: '  compareAndSet: `UPDATE entries SET value = :value, expires_at = :expiresAt\n        WHERE key = :key AND value = :expected',
    replace: '  compareAndSet: `UPDATE entries SET value = :value, expires_at = :expiresAt\n        WHERE key = :key AND :expected = :expected',
    test: { file: `${bff}/store/sqlite-store.test.ts`, name: 'writes if the value is exactly the expected one' },
  },
  {
    name: 'a disk that hangs keeps an exiting process alive',
    file: `${bff}/store/sqlite-writer.ts`,
    find: '        process.kill(process.pid, \'SIGKILL\');\n',
    replace: '',
    test: { file: `${bff}/store/sqlite-processes.test.ts`, name: 'is killed within a second if the writer thread is blocked' },
  },
];
