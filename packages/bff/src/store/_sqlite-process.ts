/** A process on a store file, for `sqlite-processes.test.ts`. Arguments: path, task, rounds. Prints a line per settled call. */

import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { openSqliteStore } from './sqlite-store.ts';

const [path = '', task, rounds] = process.argv.slice(2);
const store = await openSqliteStore(path, {
  sweepIntervalMs: task === 'leaveOpen' || task === 'writeAndExit' ? 3_600_000 : 10,
  busyTimeoutMs: 20_000,
});
const report = (line: string): void => { process.stdout.write(`${line}\n`); };

const tasks: Readonly<Record<string, () => Promise<void>>> = {
  async open() {
    await store.set(`opened:${process.pid}`, 'value', undefined);
    report('opened');
    await store[Symbol.asyncDispose]();
  },

  async leaveOpen() {
    report('opened');
  },

  async writeAndLeaveOpen() {
    await store.set('session:1', 'value', undefined);
    report('written');
  },

  /** Exits with a write in flight, once another process says that it holds the lock. */
  async writeAndExit() {
    report('opened');
    await once(process.stdin, 'data');
    void store.set('session:1', 'value', undefined);
    await setImmediate();
    await setImmediate();
    process.exit(1);
  },

  async contend() {
    for (let i = 0; i < Number(rounds); i += 1) {
      const [won, taken, swapped] = await Promise.all([
        store.setIfAbsent(`race:${i}`, 'value', undefined),
        store.take(`prize:${i}`),
        store.compareAndSet(`turn:${i}`, 'first', 'second', undefined),
      ]);
      if (won) report(`race:${i}`);
      if (taken !== undefined) report(`prize:${i}`);
      if (swapped) report(`turn:${i}`);
    }
    await store[Symbol.asyncDispose]();
  },

  async write() {
    for (let i = 0; ; i += 1) {
      for (const key of [`written:${i}:a`, `written:${i}:b`]) void store.set(key, key, undefined).then(() => { report(key); });
      await setImmediate();
    }
  },
};

await tasks[task ?? '']?.();
