/** A process on a SQLite file: `claim` tries to claim fifty keys and reports those that it got; `write` writes until it is
 *  killed, and reports how many writes have settled. */

import { openStore } from '../../packages/bff/src/store/open.ts';

const HOUR_MS = 3_600_000;

const [path = '', task] = process.argv.slice(2);
const store = await openStore(`sqlite:${path}`);
if (task === 'claim') {
  const keys = Array.from({ length: 50 }, (_, i) => `claim:${i}`);
  const won = await Promise.all(keys.map((key) => store.setIfAbsent(key, String(process.pid), HOUR_MS)));
  process.send?.(keys.filter((_, i) => won[i]));
} else {
  for (let written = 1; ; written += 1) {
    await store.set(`write:${written}`, 'value', HOUR_MS);
    if (written === 100) process.send?.(written);
  }
}
