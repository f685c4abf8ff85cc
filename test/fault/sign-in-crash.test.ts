/** The process is killed at each step of a sign-in (contract, section 3); `sync-transaction.ts` lists the crash points. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import type { SyncOutcome, SyncValidation } from '@vestibule/shared';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { CookieJar } from '../lib/cookie-jar.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { validationOf } from '../lib/validation-of.ts';
import { VestibuleProcess } from '../lib/vestibule-process.ts';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';
import { startRedis } from '../store/_redis-server.ts';

const PUBLIC_URL = 'http://www.example.com/vestibule';
const REDIRECT_URI = `${PUBLIC_URL}/sync/return`;

interface Point {
  readonly name: string;
  /** Outcome of the identical request after the restart. */
  readonly ends: 'accepted' | 'outcome-unknown';
  /** Requests to the token endpoint before the crash. */
  readonly sent: 0 | 1;
  /** Calls of `onAccepted`, in both processes. */
  readonly accepted: 0 | 1 | 2;
  /** The token endpoint hangs, before or after it spends the code. */
  readonly service?: 'hang' | 'hang-after-commit';
}

const points: readonly Point[] = [
  { name: 'in validate', sent: 0, accepted: 1, ends: 'accepted' },
  { name: 'before exchanging', sent: 0, accepted: 1, ends: 'accepted' },
  { name: 'after exchanging', sent: 0, accepted: 1, ends: 'accepted' },
  { name: 'after spent', sent: 0, accepted: 0, ends: 'outcome-unknown' },
  { name: 'during the exchange, before the service spends the code', service: 'hang', sent: 1, accepted: 0, ends: 'outcome-unknown' },
  { name: 'during the exchange, after the service spent the code', service: 'hang-after-commit', sent: 1, accepted: 0, ends: 'outcome-unknown' },
  { name: 'before granted', sent: 1, accepted: 0, ends: 'outcome-unknown' },
  { name: 'after granted', sent: 1, accepted: 1, ends: 'accepted' },
  { name: 'in onAccepted', sent: 1, accepted: 2, ends: 'accepted' },
  { name: 'after the profile', sent: 1, accepted: 2, ends: 'accepted' },
  { name: 'after the session', sent: 1, accepted: 2, ends: 'accepted' },
  { name: 'before done', sent: 1, accepted: 2, ends: 'accepted' },
  { name: 'after done', sent: 1, accepted: 1, ends: 'accepted' },
];

const readers = points.map((_, index) => ({ user_id: `7${index}`, username: `Reader ${index}` }));

/** A reader that repeats the same request. */
class CrashReader {
  readonly #cookies = new CookieJar();
  #validation: SyncValidation | undefined;

  async begin(bff: string, syncReturn: object): Promise<void> {
    this.#validation = validationOf(await (await this.#ask(bff, '/sync', syncReturn)).json());
  }

  validate(bff: string): Promise<Response> {
    return this.#ask(bff, '/sync/validation', this.#validation);
  }

  async state(bff: string): Promise<unknown> {
    return (await (await this.#ask(bff, '/session')).json() as { state: unknown }).state;
  }

  async #ask(bff: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(bff + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        Connection: 'close',
        Origin: new URL(PUBLIC_URL).origin,
        ...(this.#cookies.header !== undefined && { Cookie: this.#cookies.header }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    this.#cookies.keep(response.headers.getSetCookie());
    return response;
  }
}

interface Started {
  readonly process: VestibuleProcess;
  /** `{bff}` on loopback. */
  readonly url: string;
}

async function startProcess(service: EmulatedService, store: string, stopPoints: readonly string[]): Promise<Started> {
  const process = new VestibuleProcess({
    nodeArgs: ['--import', import.meta.resolve('./_stop-points.ts')],
    env: {
      ...bffEnvironment(service, PUBLIC_URL, { VESTIBULE_STORE: store, VESTIBULE_RATE_LIMITS: 'off' }),
      VESTIBULE_CONFIG: fileURLToPath(new URL('./_stop-hooks.mjs', import.meta.url)),
      STOP_POINTS: stopPoints.join(','),
    },
  });
  return { process, url: await process.origin() + new URL(PUBLIC_URL).pathname };
}

const exchangesOf = (service: EmulatedService) => service.requests.filter(({ endpoint }) => endpoint === 'token')
  .map(({ body }) => new URLSearchParams(String(body)).get('code') ?? '');

/** The hook's `user_id`s, in order. */
function acceptedIn({ lines }: VestibuleProcess): string[] {
  return lines.flatMap((line) => (JSON.parse(line) as { accepted?: string }).accepted ?? []);
}

type Body = Partial<SyncOutcome> & { readonly type?: string };

async function crashEverywhere(store: string): Promise<void> {
  await using service = await startEmulatedService({ redirectUris: [REDIRECT_URI], readers });
  const before = await startProcess(service, store, points.filter((point) => !point.service).map(({ name }) => name));
  await using crashing = before.process;
  const attempts: { readonly point: Point; readonly reader: CrashReader; readonly code: string; readonly user_id: string }[] = [];
  const lost: Promise<void>[] = [];
  for (const [index, point] of points.entries()) {
    const reader = new CrashReader();
    const syncReturn = service.issueReturn({ redirectUri: REDIRECT_URI, user: readers[index] ?? assert.fail() });
    await reader.begin(before.url, syncReturn);
    if (point.service) service.faults.next('token', { kind: point.service });
    const stopped = point.service ? service.whenReceived('token') : crashing.loggedWith('stopped', point.name);
    lost.push(assert.rejects(reader.validate(before.url)));
    await stopped;
    attempts.push({ point, reader, code: syncReturn.code, user_id: syncReturn.user_id });
  }
  assert.deepEqual(exchangesOf(service), attempts.filter(({ point }) => point.sent === 1).map(({ code }) => code));
  await crashing.kill('SIGKILL');
  await Promise.all(lost);

  const { process, url } = await startProcess(service, store, []);
  await using restarted = process;
  const found = await Promise.all(attempts.map(async ({ point, reader }) => {
    const responses = [await reader.validate(url), await reader.validate(url)];
    const bodies = await Promise.all(responses.map((response) => response.json() as Promise<Body>));
    const ends = bodies.map(({ outcome, type }) => outcome ?? type?.replace('urn:vestibule:', ''));
    if (point.ends === 'accepted') assert.deepEqual(bodies[1], bodies[0], point.name);
    return { name: point.name, ends, state: await reader.state(url) };
  }));
  assert.deepEqual(found, points.map(({ name, ends }) => (
    { name, ends: [ends, ends], state: ends === 'accepted' ? 'signed-in' : 'anonymous' }
  )));

  const codes = exchangesOf(service);
  const accepted = [...acceptedIn(crashing), ...acceptedIn(restarted)];
  const counts = attempts.map(({ point: { name }, code, user_id }) => ({
    name,
    exchanges: codes.filter((one) => one === code).length,
    accepted: accepted.filter((one) => one === user_id).length,
  }));
  assert.deepEqual(counts, points.map(({ name, sent, ends, accepted: times }) => (
    { name, exchanges: ends === 'accepted' ? 1 : sent, accepted: times }
  )));
}

describe('a sign-in whose process is killed at each step', () => {
  it('is completed by the identical request or ends as outcome-unknown, with one exchange at most: SQLite', async () => {
    await using directory = await temporaryDirectory({ inMemory: true });
    await crashEverywhere(`sqlite:${join(directory.path, 'store.db')}`);
  });

  it('is completed by the identical request or ends as outcome-unknown, with one exchange at most: Redis', async () => {
    await using redis = await startRedis({ settings: ['--appendfsync', 'always'] });
    await crashEverywhere(`redis://${redis.host}`);
  });
});
