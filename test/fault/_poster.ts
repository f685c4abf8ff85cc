/** A reader that posts as the widget does: one key per intent, and the same key for each retry until the outcome is known. */

import { setTimeout as wait } from 'node:timers/promises';
import { PROBLEM_TYPE_PREFIX, type Problem } from '@vestibule/shared';
import { CookieJar } from '../lib/cookie-jar.ts';
import { validationOf } from '../lib/validation-of.ts';
import type { Span } from './_outages.ts';

/** An intended post and its outcome. */
export interface Intent {
  readonly key: string;
  /** Unique text; identifies the intent at the service. */
  readonly message: string;
  readonly attempts: Span[];
  outcome: 'open' | 'acknowledged' | 'unknown' | `unexpected: ${string}`;
  /** Id of the acknowledged post. */
  postId?: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly replayed: boolean;
  readonly retryAfterMs: number;
}

interface Address {
  /** `{bff}`; pending while no process runs. */
  readonly url: Promise<string>;
}

export interface PosterOptions {
  readonly bff: Address;
  /** Origin of the page. */
  readonly origin: string;
  /** Repeats posts after `outcome-unknown`. */
  readonly naive?: boolean;
  /** Mean pause between the outcome of an intent and the next intent, in ms, ±50 %. Default: no pause, and the next intent does
   *  not wait for the outcome. */
  readonly pauseMs?: number;
}

export class Poster {
  readonly intents: Intent[] = [];
  /** Number of intents with an outcome. */
  outcomes = 0;
  /** Number of 401 responses after the sign-in. */
  signedOut = 0;
  /** Of a sign-in that the BFF did not acknowledge. */
  signInFailure: string | undefined;
  readonly #options: PosterOptions;
  readonly #cookies = new CookieJar();

  constructor(options: PosterOptions) {
    this.#options = options;
  }

  /** Signs in with the parameters of a return. @returns whether the BFF acknowledged it */
  async signIn(syncReturn: object): Promise<boolean> {
    try {
      const begun = await this.#ask('/sync', syncReturn);
      const ended = begun.status === 201 ? await this.#ask('/sync/validation', validationOf(begun.body)) : begun;
      if (ended.status !== 200) this.signInFailure = `${ended.status} ${JSON.stringify(ended.body)}`;
      return ended.status === 200;
    } catch (error) {
      this.signInFailure = String(error);
      return false;
    }
  }

  async isSignedIn(): Promise<boolean> {
    const { body } = await this.#ask('/session');
    return (body as { state: string }).state === 'signed-in';
  }

  /** Posts one intent after the other until `signal`; retries pending intents at the same time. */
  async postUntil(signal: AbortSignal): Promise<void> {
    const open: Promise<void>[] = [];
    while (!signal.aborted) {
      const id = crypto.randomUUID();
      const intent: Intent = { key: `key-${id}`, message: `Intent ${id}`, attempts: [], outcome: 'open' };
      this.intents.push(intent);
      const stuck = Promise.withResolvers<void>();
      const pursued = this.#pursue(intent, stuck.resolve);
      open.push(pursued);
      const { pauseMs = 0 } = this.#options;
      if (pauseMs === 0) {
        await Promise.race([pursued, stuck.promise]);
      } else {
        await pursued;
        await wait(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
      }
    }
    await Promise.all(open);
  }

  /** Repeats the request of an intent with a known outcome. */
  again(intent: Intent): Promise<Answer> {
    return this.#ask('/posts', { forum: 'news', message: intent.message }, intent.key);
  }

  async #pursue(intent: Intent, stuck: () => void): Promise<void> {
    while (intent.outcome === 'open') {
      const answer = await this.#attempt(intent);
      if (!answer) continue;
      this.#decide(intent, answer);
      if (intent.outcome !== 'open') {
        this.outcomes += 1;
        return;
      }
      stuck();
      await wait(answer.retryAfterMs);
    }
  }

  /** @returns `undefined` after a network failure */
  async #attempt(intent: Intent): Promise<Answer | undefined> {
    await this.#options.bff.url;
    const from = performance.now();
    try {
      return await this.again(intent);
    } catch {
      return undefined;
    } finally {
      intent.attempts.push({ from, to: performance.now() });
    }
  }

  #decide(intent: Intent, { status, body }: Answer): void {
    if (status === 201) {
      intent.outcome = 'acknowledged';
      intent.postId = (body as { post: { id: string } }).post.id;
      return;
    }
    const type = (body as Problem).type.replace(PROBLEM_TYPE_PREFIX, '');
    if (type === 'not-signed-in') this.signedOut += 1;
    if (type === 'post-in-progress' || type === 'service-unavailable') return;
    if (type !== 'outcome-unknown') intent.outcome = `unexpected: ${type}`;
    else if (!this.#options.naive) intent.outcome = 'unknown';
  }

  async #ask(path: string, body?: object, key?: string): Promise<Answer> {
    const { bff, origin } = this.#options;
    const response = await fetch(await bff.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        Connection: 'close',
        Origin: origin,
        ...(this.#cookies.header !== undefined && { Cookie: this.#cookies.header }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = {
      status: response.status,
      body: await response.json() as unknown,
      replayed: response.headers.get('Idempotency-Replayed') === 'true',
      retryAfterMs: Number(response.headers.get('Retry-After') ?? 1) * 1000,
    };
    this.#cookies.keep(response.headers.getSetCookie());
    return answer;
  }
}
