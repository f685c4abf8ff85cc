/**
 * A fleet under load: three BFFs behind nginx, readers with sessions, posters that post as the widget does. The run kills
 * BFFs and masters, cuts a BFF off from every Redis, and then compares responses, sessions and posts.
 */

import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { openRedisStore } from '../../packages/bff/src/store/redis-store.ts';
import { withStoreRetries, type Store } from '../../packages/bff/src/store/store.ts';
import { signIn as createSessions } from '../bench/_signed-in.ts';
import { startNginxWith, type Proxy } from '../deploy/_nginx.ts';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { freePort } from '../lib/free-port.ts';
import { VestibuleProcess } from '../lib/vestibule-process.ts';
import { ask, type Timed } from '../load/_ask.ts';
import { startSilentProxy, type SilentProxy } from '../load/_silent-proxy.ts';
import { startEmulatedService } from '../service/index.ts';
import { audit, type Report } from './_audit.ts';
import { Outages } from './_outages.ts';
import { Poster } from './_poster.ts';
import { someMaster, whenRedundant, type Topology } from './_redis-topologies.ts';

const ORIGIN = 'https://www.example.test';
const PUBLIC_URL = `${ORIGIN}/vestibule`;
const REDIRECT_URI = `${PUBLIC_URL}/sync/return`;
const MEMBERS = 3;

/** Readers whose sessions are requested once a second each while the fleet is under load. */
const READERS = 30;

/** Posters that sign in at the same time: the processes have just started. */
const SIGN_INS = 4;

/** Sessions of different masters that are requested repeatedly after an event, and the pause in ms. */
const PROBES = 15;
const PROBE_EVERY_MS = 200;

/** For how long a BFF is cut off, in ms. */
const CUT_MS = 3_000;

export type FleetEvent = 'kill a BFF' | 'kill a master' | 'cut a BFF off' | 'kill a master while a BFF is cut off';

export interface FleetRunOptions {
  readonly topology: Topology;
  readonly sessions: number;
  readonly posters: number;
  /** Between two posts of a poster, in ms. */
  readonly pauseMs: number;
  /** Value of `VESTIBULE_SERVICE_TIMEOUT_MS`. */
  readonly serviceTimeoutMs: number;
  readonly events: readonly FleetEvent[];
  /** Whether killed masters restart as replicas before the next event. */
  readonly restartsMasters: boolean;
}

export interface FleetReport extends Report {
  /** Each event with the time until every reader is served again, in ms. */
  readonly recoveries: readonly (readonly [FleetEvent, ms: number])[];
  readonly sessions: number;
  /** Readers without a session, and posters that got 401. */
  readonly signedOut: number;
  /** `GET /session` requests during the run, and those without a session in the response. */
  readonly reads: number;
  readonly readsUnserved: number;
}

export async function runFleet(options: FleetRunOptions): Promise<FleetReport> {
  const { topology, sessions, pauseMs, events, restartsMasters } = options;
  await using stack = new AsyncDisposableStack();
  const people = Array.from({ length: options.posters }, (_, i) => ({ user_id: `7${i}`, username: `Poster ${i}` }));
  const service = stack.use(await startEmulatedService({ redirectUris: [REDIRECT_URI], readers: people, recordRequests: false }));
  const cookies = await fill(topology, sessions);
  const env = { ...bffEnvironment(service, PUBLIC_URL, { VESTIBULE_STORE: topology.store, VESTIBULE_RATE_LIMITS: 'off', VESTIBULE_SERVICE_TIMEOUT_MS: String(options.serviceTimeoutMs) }) };
  const members: Member[] = [];
  for (let i = 0; i < MEMBERS; i += 1) members.push(stack.use(await startMember(env, i === 0 ? topology : undefined)));
  const [cut] = members as [Member];
  const nginx = stack.use(await startProxy(members));
  const url = `http://127.0.0.1:${nginx.httpsPort}/vestibule`;
  const agent = stack.adopt(new Agent({ keepAlive: true }), (one) => { one.destroy(); });
  const readSession = (cookie: string) => ask(`${url}/session`, { agent, headers: { cookie } });

  const posters = people.map(() => new Poster({ bff: { url: Promise.resolve(url) }, origin: ORIGIN, pauseMs }));
  for (let i = 0; i < posters.length; i += SIGN_INS) {
    const signedIn = await Promise.all(posters.slice(i, i + SIGN_INS).map((poster, j) => (
      poster.signIn(service.issueReturn({ redirectUri: REDIRECT_URI, user: people[i + j] as (typeof people)[number] }))
    )));
    if (signedIn.includes(false)) throw new Error('A poster could not sign in.');
  }

  const over = new AbortController();
  const outages = new Outages();
  const recoveries: (readonly [FleetEvent, number])[] = [];

  const posting = posters.map((poster) => poster.postUntil(over.signal));
  const reading = readUntil(over.signal, (i) => readSession(cookies[(i * 7_919) % cookies.length] as string));
  const probes = cookies.slice(0, PROBES);
  const probe = async () => (await Promise.all(probes.map(readSession))).every(isSignedIn);
  for (const event of events) {
    await whenRedundant(topology);
    await wait(1_000);
    const end = outages.begin();
    recoveries.push([event, await take(event)]);
    end();
    await wait(1_000);
  }
  over.abort();
  const reads = await reading;
  await Promise.all(posting);
  await service.whenSettled();

  const last = await inParallel(cookies, readSession);
  const signedOutPosters = (await inParallel(posters, (poster) => poster.isSignedIn())).filter((isIn) => !isIn).length;
  return {
    ...audit({ posters, service, drawn: [], outages }),
    recoveries,
    sessions: sessions + posters.length,
    signedOut: [...reads, ...last].filter(isSignedOut).length + signedOutPosters
      + posters.reduce((sum, { signedOut }) => sum + signedOut, 0)
      + sessions + posters.length - await countSessions(topology),
    reads: reads.length,
    readsUnserved: reads.filter((answer) => !isSignedIn(answer)).length,
  };

  /** @returns the time until every reader is served again, in ms */
  async function take(event: FleetEvent): Promise<number> {
    const victim = members[1] as Member;
    const master = event.includes('master') ? await someMaster(topology) : undefined;
    const startedAt = performance.now();
    if (event.includes('cut')) cut.silence();
    if (event === 'kill a BFF') await victim.kill();
    await master?.kill();
    if (event.includes('cut')) {
      await wait(CUT_MS);
      cut.restore();
    }
    const recoveredAt = await whenServed(probe);
    if (event === 'kill a BFF') await victim.start();
    if (restartsMasters) await master?.start();
    return recoveredAt - startedAt;
  }
}

interface Member extends AsyncDisposable {
  readonly port: number;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Blocks all bytes between this BFF and Redis; connections stay open. */
  silence(): void;
  /** Lets new connections through. */
  restore(): void;
}

/** @param behindProxies Redis servers that this member reaches through proxies only */
async function startMember(env: Readonly<Record<string, string>>, behindProxies?: Topology): Promise<Member> {
  const port = await freePort();
  const proxies = new Map<number, SilentProxy>();
  for (const peer of behindProxies?.peers ?? []) proxies.set(peer.port, await startSilentProxy(() => peer.port));
  const mapped = JSON.stringify(Object.fromEntries([...proxies].map(([from, proxy]) => [from, proxy.port])));
  let process: VestibuleProcess | undefined;
  const member: Member = {
    port,
    async start() {
      // A preloaded module among the arguments of Node.js would select the sources instead of the bundle.
      process = new VestibuleProcess({
        env: { ...env, PORT: String(port), MAPPED_PORTS: mapped, NODE_OPTIONS: `--import=${import.meta.resolve('./_mapped-ports.mjs')}` },
      });
      await process.origin();
    },
    async kill() { await process?.kill('SIGKILL'); },
    silence() { for (const proxy of proxies.values()) proxy.silence(); },
    restore() { for (const proxy of proxies.values()) proxy.restore(); },
    async [Symbol.asyncDispose]() {
      await process?.[Symbol.asyncDispose]();
      for (const proxy of proxies.values()) await proxy[Symbol.asyncDispose]();
    },
  };
  await member.start();
  return member;
}

/** Balances requests as `deploy/nginx.conf` does, without TLS and without limits per address. */
function startProxy(members: readonly Member[]): Promise<Proxy> {
  const temporaryPaths = (directory: string) => ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`);
  return startNginxWith(async ({ directory, httpsPort }) => `
    worker_processes 1; pid ${directory}/nginx.pid; error_log ${directory}/error.log crit;
    events { worker_connections 8192; }
    http {
      access_log off; ${temporaryPaths(directory).join(' ')}
      upstream vestibule { ${members.map(({ port }) => `server 127.0.0.1:${port} max_fails=0;`).join(' ')} keepalive 32; keepalive_timeout 2s; }
      server {
        listen 127.0.0.1:${httpsPort};
        location / {
          proxy_pass http://vestibule; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
          proxy_connect_timeout 1s; proxy_next_upstream error timeout; proxy_next_upstream_tries 2;
        }
      }
    }`);
}

/** @returns `Cookie` headers of at most 20,000 of the readers */
async function fill({ store: address }: Topology, sessions: number): Promise<readonly string[]> {
  await using store = await openRedisStore(address, { info: () => undefined, warn: () => undefined });
  const set = (...args: Parameters<Store['set']>) => withStoreRetries(() => store.set(...args));
  return await createSessions(Object.create(store, { set: { value: set } }) as Store, sessions);
}

async function countSessions({ store: address }: Topology): Promise<number> {
  await using store = await openRedisStore(address, { info: () => undefined, warn: () => undefined });
  let count = 0;
  for await (const _ of store.entries('session:')) count += 1;
  return count;
}

async function readUntil(signal: AbortSignal, read: (i: number) => Promise<Timed>): Promise<Timed[]> {
  const answers: Promise<Timed>[] = [];
  for (let i = 0; !signal.aborted; i += 1) {
    answers.push(read(i));
    await wait(1_000 / READERS);
  }
  return Promise.all(answers);
}

/** @returns the time of the last failed probe; the start if none failed */
async function whenServed(probe: () => Promise<boolean>): Promise<number> {
  let failedAt = performance.now();
  for (let successes = 0; successes < 5;) {
    const isServed = await probe();
    successes = isServed ? successes + 1 : 0;
    if (!isServed) failedAt = performance.now();
    await wait(PROBE_EVERY_MS);
  }
  return failedAt;
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let i = 0; i < items.length; i += READERS) results.push(...await Promise.all(items.slice(i, i + READERS).map(work)));
  return results;
}

function isSignedIn({ status, text }: Timed): boolean {
  return status === 200 && text.includes('"signed-in"');
}

function isSignedOut(answer: Timed): boolean {
  return answer.status === 200 && !isSignedIn(answer);
}
