/** A process of its own on a store file, for `sqlite-store.test.ts`. Each line it prints is a call that settled.
 *  Arguments: path, what to do, how often. */

import { setImmediate } from 'node:timers/promises';
import { SqliteStore } from './sqlite-store.ts';

const [path = '', task, times] = process.argv.slice(2);
const store = new SqliteStore(path, { sweepIntervalMs: 10 });
const report = (line: string): void => { process.stdout.write(`${line}\n`); };

if (task === 'open') {
  await store.set(`opened:${process.pid}`, 'value', undefined);
  report('opened');
  await store[Symbol.asyncDispose]();
} else if (task === 'contend') {
  for (let i = 0; i < Number(times); i += 1) {
    const [won, taken] = await Promise.all([store.setIfAbsent(`race:${i}`, 'value', undefined), store.take(`prize:${i}`)]);
    if (won) report(`race:${i}`);
    if (taken !== undefined) report(`prize:${i}`);
  }
  await store[Symbol.asyncDispose]();
} else {
  for (let i = 0; ; i += 1) {
    for (const key of [`written:${i}:a`, `written:${i}:b`]) void store.set(key, key, undefined).then(() => { report(key); });
    await setImmediate();
  }
}
