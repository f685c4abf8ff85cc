/** Readers post and sign in while the BFF or its store is killed. */

import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { startEmulatedService, type EmulatedService, type Fault } from '../service/index.ts';
import { audit, type Report } from './_audit.ts';
import { MortalBff } from './_mortal-bff.ts';
import { Outages } from './_outages.ts';
import { Poster, type Intent } from './_poster.ts';

const PUBLIC_URL = 'http://www.example.com/vestibule';
const REDIRECT_URI = `${PUBLIC_URL}/sync/return`;
const CLIENTS = 8;

/** Longer than a request of a busy machine takes: `outcome-unknown` without a fault is a finding. */
const SERVICE_TIMEOUT_MS = 1500;

/** Until a post has an outcome after a restart. */
const FIRST_OUTCOME_TIMEOUT_MS = 30_000;

/** Number of intents that are sent again at the end. */
const ASKED_AGAIN = 200;

/** Affect 30 % of the `posts` requests. */
const faults: readonly { probability: number; fault: Fault }[] = [
  { probability: 0.1, fault: { kind: 'hang-after-commit' } },
  { probability: 0.05, fault: { kind: 'reset-after-commit' } },
  { probability: 0.05, fault: { kind: 'status', status: 502 } },
  { probability: 0.05, fault: { kind: 'commit-late', delayMs: 2 * SERVICE_TIMEOUT_MS } },
  { probability: 0.05, fault: { kind: 'commit-late', delayMs: SERVICE_TIMEOUT_MS / 2 } },
];

export interface CrashRunOptions {
  readonly store: string;
  /** Number of kills. */
  readonly kills: number;
  /** Kills and restarts. Default: the BFF. */
  readonly kill?: (bff: MortalBff, outages: Outages) => Promise<void>;
  /** A BFF without idempotency records, and readers that repeat posts with an unknown outcome. */
  readonly naive?: boolean;
}

export interface CrashReport extends Report {
  readonly kills: number;
  readonly sessions: number;
  /** Acknowledged sign-ins without a session, and responses with 401. */
  readonly lostSessions: number;
  /** Intents whose repeated request gets another response, with both. */
  readonly changed: readonly string[];
}

export async function runCrashes({ store, kills, naive = false, kill = killBff }: CrashRunOptions): Promise<CrashReport> {
  const readers = Array.from({ length: CLIENTS }, (_, index) => ({ user_id: `7${index}`, username: `Reader ${index}` }));
  await using service = await startEmulatedService({ redirectUris: [REDIRECT_URI], readers });
  const outages = new Outages();
  await using bff = new MortalBff({
    env: bffEnvironment(service, PUBLIC_URL, {
      VESTIBULE_STORE: store,
      VESTIBULE_RATE_LIMITS: 'off',
      VESTIBULE_SERVICE_TIMEOUT_MS: String(SERVICE_TIMEOUT_MS),
    }),
    outages,
    ...(naive && { nodeArgs: ['--import', import.meta.resolve('./_naive.ts')] }),
  });
  await bff.start();
  const drawn = scriptFaults(service);
  const newcomer = () => new Poster({ bff, origin: new URL(PUBLIC_URL).origin, naive });
  const signIn = async (poster: Poster, user = readers[0]) => (
    await poster.signIn(service.issueReturn({ redirectUri: REDIRECT_URI, ...(user && { user }) })) ? [poster] : []
  );
  const first = readers.map(newcomer);
  const posters = (await Promise.all(first.map((poster, index) => signIn(poster, readers[index])))).flat();
  if (posters.length < CLIENTS) throw new Error(`a client could not sign in: ${first.map(({ signInFailure = '' }) => signInFailure).join(' ')}`);
  const over = new AbortController();
  const working = [...posters.map((poster) => poster.postUntil(over.signal)), signInUntil(over.signal)] as const;

  for (let killed = 0; killed < kills; killed += 1) {
    await untilNextOutcome(posters);
    await wait(randomInt(0, 201));
    await kill(bff, outages);
  }
  over.abort();
  const newcomers = (await Promise.all(working)).flatMap((signedIn) => signedIn ?? []);
  await service.whenSettled();

  const signedIn = [...posters, ...newcomers];
  const alive = await Promise.all(signedIn.map((poster) => poster.isSignedIn()));
  return {
    ...audit({ posters, service, drawn, outages }),
    kills: outages.count,
    sessions: signedIn.length,
    lostSessions: alive.filter((isAlive) => !isAlive).length + signedIn.reduce((sum, { signedOut }) => sum + signedOut, 0),
    changed: naive ? [] : await changedAnswers(posters),
  };

  /** @returns posters with an acknowledged sign-in */
  async function signInUntil(signal: AbortSignal): Promise<Poster[]> {
    const signedIn: Poster[] = [];
    while (!signal.aborted) signedIn.push(...await signIn(newcomer()));
    return signedIn;
  }
}

/** Resolves when a post has an outcome: each process that is killed has served some. */
async function untilNextOutcome(posters: readonly Poster[]): Promise<void> {
  const count = () => posters.reduce((sum, { outcomes }) => sum + outcomes, 0);
  const before = count();
  const deadline = performance.now() + FIRST_OUTCOME_TIMEOUT_MS;
  while (count() === before) {
    if (performance.now() > deadline) throw new Error('no post has an outcome after a restart');
    await wait(10);
  }
}

async function killBff(bff: MortalBff): Promise<void> {
  await bff.killAndRestart();
}

/** Broken promises of a report; empty if all were kept. */
export function broken({ duplicates, missing, unexplained, unexpected, lostSessions, changed }: CrashReport): object {
  const found = { duplicates, missing, unexplained, unexpected, changed };
  return Object.fromEntries([
    ...Object.entries(found).filter(([, list]) => list.length > 0),
    ...(lostSessions > 0 ? [['lostSessions', lostSessions]] : []),
  ]);
}

/** One line of figures. */
export function figures({ kills, acknowledged, unknown, duplicates, missing, sessions, lostSessions }: CrashReport): string {
  return `${kills} kills: ${acknowledged} posts acknowledged (${missing.length} missing), ${unknown} unknown, `
    + `${duplicates.length} duplicates; ${sessions} sessions (${lostSessions} lost)`;
}

/** @returns a live list with the fault of each `posts` request */
function scriptFaults(service: EmulatedService): readonly (Fault | undefined)[] {
  const drawn: (Fault | undefined)[] = [];
  service.faults.mix('posts', faults, 20_261_121);
  const take = service.faults.take.bind(service.faults);
  service.faults.take = (endpoint) => {
    const fault = take(endpoint);
    if (endpoint === 'posts') drawn.push(fault);
    return fault;
  };
  return drawn;
}

async function changedAnswers(posters: readonly Poster[]): Promise<string[]> {
  const changed: string[] = [];
  for (const poster of posters) {
    for (const intent of poster.intents.slice(-ASKED_AGAIN / posters.length)) {
      const { status, body, replayed } = await poster.again(intent);
      if (!isSame(intent, status, body) || (status === 201 && !replayed)) {
        changed.push(`${intent.message}, ${intent.outcome} ${intent.postId ?? ''}: ${status} ${JSON.stringify(body)}${replayed ? ', replayed' : ''}`);
      }
    }
  }
  return changed;
}

function isSame({ outcome, postId }: Intent, status: number, body: unknown): boolean {
  if (outcome === 'unknown') return status === 504;
  return status === 201 && (body as { post: { id: string } }).post.id === postId;
}
