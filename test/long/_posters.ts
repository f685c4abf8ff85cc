/** Readers that post as the widget does: one key per comment, and the identical request until its answer is final. */

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Problem, SessionView } from '@vestibule/shared';
import type { EmulatedService, Reader } from '../service/index.ts';
import type { ReaderClient } from '../lib/reader.ts';
import { until } from '../lib/until.ts';

export const people: readonly Reader[] = Array.from({ length: 8 }, (_, i) => ({ user_id: `7${i}`, username: `Reader ${i}` }));

export class Posters implements AsyncDisposable {
  /** Comments with the answer 201. */
  readonly acknowledged: string[] = [];
  /** Comments with the answer `outcome-unknown`. */
  readonly unknown: string[] = [];
  /** Answers that no reader may get. */
  readonly unexpected: string[] = [];
  readonly #readers: readonly ReaderClient[];
  readonly #working: readonly Promise<void>[];
  #isOver = false;

  private constructor(readers: readonly ReaderClient[]) {
    this.#readers = readers;
    this.#working = readers.map((reader) => this.#work(reader));
  }

  static async start(browser: () => ReaderClient): Promise<Posters> {
    const readers = people.map(browser);
    for (const [i, reader] of readers.entries()) await reader.signIn(people[i]);
    return new Posters(readers);
  }

  /** Resolves after `count` more acknowledged comments. */
  async served(count = 3 * people.length): Promise<void> {
    const enough = this.acknowledged.length + count;
    // After a failover, a store may need longer than one wait.
    await until('comments are acknowledged', () => this.acknowledged.length >= enough);
  }

  /** Ends the work. @returns what the readers lost */
  async report({ posts }: EmulatedService): Promise<object> {
    await this[Symbol.asyncDispose]();
    const created = Map.groupBy(posts, ({ message }) => message);
    const states = await Promise.all(this.#readers.map((reader) => until('the session is read', async () => {
      const res = await reader.get('/session');
      return res.status === 200 && (res.body as SessionView).state;
    })));
    return {
      lost: this.acknowledged.filter((message) => !created.has(message)),
      doubled: [...created].filter(([, same]) => same.length > 1).map(([message]) => message),
      signedOut: states.filter((state) => state !== 'signed-in'),
      unexpected: this.unexpected,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#working);
  }

  async #work(reader: ReaderClient): Promise<void> {
    while (!this.#isOver) {
      const key = randomUUID();
      const message = `Comment ${key}`;
      for (let isFinal = false; !isFinal;) isFinal = await this.#attempt(reader, message, key);
      await pause(50);
    }
  }

  /** @returns whether the answer is final */
  async #attempt(reader: ReaderClient, message: string, key: string): Promise<boolean> {
    const res = await Promise.resolve(reader.createPost(message, { key })).catch(() => undefined);
    // The proxy answers for a BFF that is away.
    if (!res || !/json$/.test(res.type)) return pause(100, false);
    if (res.status === 201) {
      this.acknowledged.push(message);
      return true;
    }
    const { type, retryable } = JSON.parse(res.text) as Problem;
    if (retryable) return pause(Number(res.headers['retry-after'] ?? 1) * 1_000, false);
    if (type === 'urn:vestibule:outcome-unknown') this.unknown.push(message);
    else this.unexpected.push(`${res.status} ${type}`);
    return true;
  }
}

export const nothingLost = { lost: [], doubled: [], signedOut: [], unexpected: [] };
