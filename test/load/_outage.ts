/** An outage of the service as readers see it: 200 of them keep posting, others open articles, the service goes away for
 *  a while and comes back. Gathers every answer; what they must be is for the tests to say. */

import { Agent } from 'node:http';
import { constants, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { VestibuleProcess } from '../lib/vestibule-process.ts';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';
import type { Timed } from './_ask.ts';
import { LoadReader } from './_reader.ts';
import { startSilentProxy } from './_silent-proxy.ts';

export interface OutageWish {
  /** `silent`: connections are accepted and nothing is answered. `refusing`: connections are refused. */
  readonly kind: 'silent' | 'refusing';
  /** For how long it goes well before. */
  readonly beforeMs: number;
  readonly outageMs: number;
  /** For how long it goes on after the service is back. */
  readonly afterMs: number;
  readonly posters?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

export interface Outage {
  /** How late timers of this process were meanwhile: what a busy machine does to any process. */
  readonly delays: readonly Pick<Timed, 'ms'>[];
  /** `GET /session` before the outage. */
  readonly sessionsBefore: readonly Timed[];
  /** `GET /session` from the beginning of the outage to the end. */
  readonly sessions: readonly Timed[];
  readonly posts: readonly Timed[];
  /** By `performance.now()`. */
  readonly beganAt: number;
  readonly endedAt: number;
  readonly service: EmulatedService;
}

/** Between a reader's posts, half of it more or less, whatever `Retry-After` says: these are impatient. */
const PAUSE_MS = 1_000;

/** Between two readers who open an article. */
const SESSION_EVERY_MS = 10;

const ORIGIN = 'http://www.example.test';

export async function sufferOutage(wish: OutageWish): Promise<Outage> {
  const { kind, beforeMs, outageMs, afterMs, posters = 200, settings = {} } = wish;
  const redirectUri = `${ORIGIN}/vestibule/sync/return`;
  const people = Array.from({ length: posters }, (_, i) => ({ user_id: String(i + 1), username: `Reader ${i + 1}` }));
  let servicePort = 0;
  await using proxy = await startSilentProxy(() => servicePort);
  await using service = await startEmulatedService({
    publicUrl: `http://127.0.0.1:${proxy.port}`, redirectUris: [redirectUri], readers: people, recordRequests: false,
  });
  servicePort = service.port;
  await using directory = await temporaryDirectory();
  await using bff = new VestibuleProcess({
    cwd: directory.path,
    env: bffEnvironment(service, `${ORIGIN}/vestibule`, { VESTIBULE_RATE_LIMITS: 'off', ...settings }),
  });
  prefer(process.pid);
  prefer(bff.child.pid);
  const agent = new Agent({ keepAlive: true, scheduling: 'fifo' });
  const site = { url: `${await bff.origin()}/vestibule`, origin: ORIGIN, redirectUri, agent };
  const readers = people.map(() => new LoadReader(site));
  const signIn = (reader: LoadReader, i: number) => reader.signIn(service, people[i] as (typeof people)[number]);
  for (let i = 0; i < posters; i += 20) {
    await Promise.all(readers.slice(i, i + 20).map((reader, j) => signIn(reader, i + j)));
  }

  const posts: Timed[] = [];
  let written = 0;
  const stop = new AbortController();
  const keepPosting = async (reader: LoadReader, i: number) => {
    await pause((i / posters) * PAUSE_MS);
    while (!stop.signal.aborted) {
      written += 1;
      posts.push(await reader.post(`Comment ${written}`));
      await pause(PAUSE_MS * (0.5 + Math.random()), undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const posting = readers.map(keepPosting);
  const delays: { ms: number }[] = [];
  const asking = askOften((i) => (readers[i % posters] as LoadReader).session(), stop.signal, delays);
  await pause(beforeMs);
  const beganAt = performance.now();
  if (kind === 'silent') proxy.silence();
  else await service.down();
  await pause(outageMs);
  if (kind === 'silent') proxy.restore();
  else await service.up();
  const endedAt = performance.now();
  await pause(afterMs);
  stop.abort();
  await Promise.all(posting);
  const asked = await asking;
  agent.destroy();
  await bff.kill('SIGTERM');
  return {
    sessionsBefore: asked.filter((answer) => answer.beganAt < beganAt),
    sessions: asked.filter((answer) => answer.beganAt >= beganAt),
    delays, posts, beganAt, endedAt, service,
  };
}

async function askOften(question: (i: number) => Promise<Timed>, signal: AbortSignal, delays: { ms: number }[]) {
  const asked: Promise<Timed>[] = [];
  for (let i = 0; !signal.aborted; i += 1) {
    asked.push(question(i));
    const wokenAt = performance.now() + SESSION_EVERY_MS;
    await pause(SESSION_EVERY_MS);
    delays.push({ ms: Math.max(performance.now() - wokenAt, 0) });
  }
  return Promise.all(asked);
}

/** Puts a process before whatever else the machine is busy with, where the system allows it: what is measured is the BFF. */
function prefer(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_HIGHEST);
  } catch {}
}
