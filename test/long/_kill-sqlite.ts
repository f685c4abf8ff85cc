/**
 * Loaded with `--import` into a BFF process and its threads. From SIGUSR2 on, it counts the statements that write to SQLite, and
 * ends the process with SIGKILL at the one that the file `KILL_AT` names, before or after it: `{"n":3,"applied":true}`.
 */

import { readFileSync, writeSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/** Shared by the threads: calls until the kill, 0 if none is planned; and whether the call is carried out. */
const plan = (getEnvironmentData('kill-at') ?? new Int32Array(new SharedArrayBuffer(8))) as Int32Array;

if (isMainThread) {
  setEnvironmentData('kill-at', plan);
  process.on('SIGUSR2', () => {
    const { n, applied } = JSON.parse(readFileSync(process.env['KILL_AT'] ?? '', 'utf8')) as { n: number; applied: boolean };
    plan[1] = Number(applied);
    Atomics.store(plan, 0, n);
    writeSync(1, `{"msg":"armed ${n}"}\n`);
  });
}

type Method = (this: { readonly sourceSQL?: string }, ...args: readonly unknown[]) => unknown;

const READS = /^\s*(SELECT|PRAGMA|BEGIN)/i;

function count(prototype: object, name: string): void {
  const methods = prototype as Record<string, Method>;
  const method = methods[name] as Method;
  methods[name] = function (...args) {
    const isWrite = !READS.test(this.sourceSQL ?? String(args[0]));
    const isLast = isWrite && Atomics.load(plan, 0) > 0 && Atomics.sub(plan, 0, 1) === 1;
    if (isLast && plan[1] === 0) process.kill(process.pid, 'SIGKILL');
    const result = Reflect.apply(method, this, args);
    if (isLast) process.kill(process.pid, 'SIGKILL');
    return result;
  };
}

count(DatabaseSync.prototype, 'exec');
for (const name of ['run', 'get', 'all', 'iterate']) count(StatementSync.prototype, name);
