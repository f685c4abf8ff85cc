/** New settings, a new version: one BFF after the other is started anew behind nginx, while readers go on. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { freePort } from '../lib/free-port.ts';
import { VestibuleProcess } from '../lib/vestibule-process.ts';
import { startEmulatedService } from '../service/index.ts';
import { startRedis } from '../store/_redis-server.ts';
import { home } from './_deployment.ts';
import { startNginx } from './_nginx.ts';
import { HOST, Visitor } from './_visitor.ts';
import { readYaml } from './_yaml.ts';

const PUBLIC_URL = `https://${HOST}/vestibule`;
const REDIRECT_URI = `${PUBLIC_URL}/sync/return`;
const READERS = 4;
const READER_PAUSE_MS = 20;

/** The box sends a post up to five times with the same key. 409 (`post-in-progress`): it takes longer than a second on a busy
 *  machine. 502 by nginx: a connection that arrives while a process closes its port is reset. */
const ATTEMPTS = 5;
const REPEATED = [409, 502];

/** As the compose file sets it for this nginx. */
async function publishedDrainDelay(): Promise<string> {
  const [{ services }] = await readYaml(new URL('deploy/compose.yaml', home)) as [Compose];
  return services['bff-1'].environment.VESTIBULE_DRAIN_DELAY_MS;
}

interface Compose {
  readonly services: { readonly 'bff-1': { readonly environment: { readonly VESTIBULE_DRAIN_DELAY_MS: string } } };
}

describe('two BFFs behind nginx that restart one after the other', () => {
  it('lose no request of readers, and no post is created twice', async () => {
    const drainDelayMs = await publishedDrainDelay();
    await using service = await startEmulatedService({ redirectUris: [REDIRECT_URI] });
    await using redis = await startRedis();
    await using stack = new AsyncDisposableStack();
    const start = async (port: number) => {
      const bff = stack.use(new VestibuleProcess({ env: bffEnvironment(service, PUBLIC_URL, {
        VESTIBULE_STORE: `redis://${redis.host}`,
        VESTIBULE_RATE_LIMITS: 'off',
        VESTIBULE_TRUST_PROXY: 'loopback',
        VESTIBULE_DRAIN_DELAY_MS: drainDelayMs,
        PORT: String(port),
      }) }));
      await bff.origin();
      return bff;
    };
    const ports = [await freePort(), await freePort()] as const;
    let bffs = await Promise.all(ports.map(start));
    await using nginx = await startNginx(ports);

    const visitors = Array.from({ length: READERS }, (_, i) => new Visitor(`127.0.0.${40 + i}`));
    for (const visitor of visitors) {
      assert.equal(await visitor.signIn(nginx, service.issueReturn({ redirectUri: REDIRECT_URI })), 200);
    }
    const stop = new AbortController();
    const answered = { session: new Array<number>(), posts: new Array<number>() };
    const messages: string[] = [];
    const reset: string[] = [];
    const goOn = async (visitor: Visitor, reader: number) => {
      for (let i = 0; !stop.signal.aborted; i += 1) {
        answered.session.push((await visitor.ask(nginx, '/vestibule/session')).status);
        const message = `reader-${reader}-post-${i}`;
        messages.push(message);
        const wish = { body: { forum: 'news', message }, headers: { 'Idempotency-Key': message } };
        const post = async (attempt: number): Promise<number> => {
          const { status } = await visitor.ask(nginx, '/vestibule/posts', wish);
          if (attempt === ATTEMPTS || !REPEATED.includes(status)) return status;
          if (status === 502) reset.push(message);
          await pause(1_000);
          return post(attempt + 1);
        };
        answered.posts.push(await post(1));
        await pause(READER_PAUSE_MS);
      }
    };
    const going = visitors.map(goOn);
    for (const i of [0, 1]) {
      const ended = await bffs[i]?.kill('SIGTERM');
      assert.equal(ended?.status, 0);
      const anew = await start(ports[i] as number);
      bffs = bffs.with(i, anew);
    }
    stop.abort();
    await Promise.all(going);

    assert.ok(messages.length > 20);
    assert.deepEqual(answered.session.filter((status) => status !== 200), []);
    assert.deepEqual(answered.posts.filter((status) => status !== 201), []);
    assert.ok(reset.length <= bffs.length, `${reset.length} posts were reset`);
    assert.deepEqual(service.posts.map(({ message }) => message).toSorted(), messages.toSorted());
  });
});
