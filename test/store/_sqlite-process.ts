/** A process on a SQLite file: tries to claim fifty keys, and reports those that it got. */

import { openStore } from '../../packages/bff/src/store/open.ts';

const HOUR_MS = 3_600_000;

const [path = ''] = process.argv.slice(2);
const store = await openStore(`sqlite:${path}`);
const keys = Array.from({ length: 50 }, (_, i) => `claim:${i}`);
const won = await Promise.all(keys.map((key) => store.setIfAbsent(key, String(process.pid), HOUR_MS)));
process.send?.(keys.filter((_, i) => won[i]));
