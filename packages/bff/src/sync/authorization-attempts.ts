/** Authorization attempts of the standard variant and of an embedded variant that the box starts:
 *  each is bound by a one-time cookie to the browser that made it. The return carries no `state` (interface 4.3), so it
 *  belongs to the newest attempt of the browser. */

import type { Request, Response } from 'express';
import type { Notice, SyncDisplay } from '@vestibule/shared';
import { randomId, sha256 } from '../lib/identifiers.ts';
import type { BrowserCookies } from '../session/browser-cookies.ts';
import type { EncryptedCollection, Found } from '../store/encrypted-collection.ts';

export interface AuthorizationAttempt {
  readonly forum: string;
  /** The page that the reader comes from. */
  readonly returnTo: string;
  readonly display: SyncDisplay;
  /** Order of the attempts of one browser: a later one has a higher number. */
  readonly sequence: number;
  /** Keys of the browser's sign-ins that began before the return. The return itself cannot bring their Strict cookies. */
  readonly syncKeys: readonly string[];
  /** SHA-256 of the code that it returned with. */
  readonly returnedCode?: string;
  /** Its ending without a code, not delivered yet. */
  readonly notice?: Notice;
  /** Of the failure behind the notice. */
  readonly instance?: string;
}

export type Ending = Pick<AuthorizationAttempt, 'notice' | 'instance'>;

export interface AuthorizationAttemptsDeps {
  readonly cookies: BrowserCookies;
  readonly attempts: EncryptedCollection<AuthorizationAttempt>;
  /** Lifetime of an attempt, in ms. */
  readonly lifetimeMs: number;
}

/** Attempts of one browser at the same time; a further one replaces the oldest. */
const MAX_ATTEMPTS = 5;

/** Sign-ins that an attempt records, the newest ones. */
const MAX_SYNC_KEYS = 8;

export interface FoundAttempt extends Found<AuthorizationAttempt> {
  readonly id: string;
  /** Of the cookie's name. */
  readonly suffix: string;
}

export class AuthorizationAttempts {
  readonly #deps: AuthorizationAttemptsDeps;

  constructor(deps: AuthorizationAttemptsDeps) {
    this.#deps = deps;
  }

  /** Starts an attempt and binds it to the browser. */
  async start(req: Request, res: Response, attempt: Omit<AuthorizationAttempt, 'sequence'>): Promise<void> {
    const { cookies, attempts, lifetimeMs } = this.#deps;
    const found = (await this.#findAll(req)).sort((a, b) => b.record.sequence - a.record.sequence);
    const last = found[0]?.record.sequence ?? 0;
    for (const { id, suffix } of found.slice(MAX_ATTEMPTS - 1)) {
      await attempts.delete(id);
      cookies.clearAttempt(res, suffix);
    }
    const id = randomId();
    await attempts.put(id, { ...attempt, sequence: last + 1 }, lifetimeMs);
    cookies.setAttempt(res, id);
  }

  /** Ends the newest open attempt of this browser with the code that it returned with: of two returns only one gets it.
   *  A repeated return gets it again, if its response was lost. @returns `undefined` without such an attempt */
  async endWithCode(req: Request, code: string): Promise<FoundAttempt | undefined> {
    const returnedCode = sha256(code);
    const found = await this.#findAll(req);
    return found.find(({ record }) => record.returnedCode === returnedCode) ?? this.#end(found, { returnedCode });
  }

  /** Records that the sign-in `key` began before the open attempts of this browser returned: theirs supersede it. */
  async noteSync(req: Request, key: string): Promise<void> {
    const open = (await this.#findAll(req)).filter((found) => isOpen(found) && !found.record.syncKeys.includes(key));
    await Promise.all(open.map((found) => {
      const syncKeys = [...found.record.syncKeys, key].slice(-MAX_SYNC_KEYS);
      return this.#deps.attempts.compareAndSet(found.id, found, { ...found.record, syncKeys });
    }));
  }

  /** Ends the newest open attempt without a code and keeps its ending for `takeNotice`. */
  async endWithNotice(req: Request, ending: Ending): Promise<FoundAttempt | undefined> {
    return this.#end(await this.#findAll(req), ending);
  }

  /** The notice of the newest attempt that has one. Each notice is delivered once; older ones are dropped. */
  async takeNotice(req: Request, res: Response): Promise<Ending> {
    const { cookies, attempts } = this.#deps;
    const ended = (await this.#findAll(req)).filter(({ record }) => record.notice !== undefined);
    let newest: AuthorizationAttempt | undefined;
    for (const { id, suffix } of ended) {
      const taken = await attempts.take(id);
      cookies.clearAttempt(res, suffix);
      if (taken && (!newest || taken.sequence > newest.sequence)) newest = taken;
    }
    return newest ?? {};
  }

  /** Ends every attempt of this browser: a return finds none of them any more. */
  async forget(req: Request, res: Response): Promise<void> {
    const { cookies, attempts } = this.#deps;
    await Promise.all([...cookies.attempts(req).values()].map((id) => attempts.delete(id)));
    for (const suffix of cookies.attempts(req).keys()) cookies.clearAttempt(res, suffix);
  }

  async #end(found: readonly FoundAttempt[], end: Ending | Pick<AuthorizationAttempt, 'returnedCode'>): Promise<FoundAttempt | undefined> {
    const newest = found.filter(isOpen).toSorted((a, b) => b.record.sequence - a.record.sequence)[0];
    const ended = newest && await this.#deps.attempts.compareAndSet(newest.id, newest, { ...newest.record, ...end });
    return ended && newest;
  }

  async #findAll(req: Request): Promise<FoundAttempt[]> {
    const { cookies, attempts } = this.#deps;
    const found = await Promise.all([...cookies.attempts(req)].map(async ([suffix, id]) => {
      const attempt = await attempts.find(id);
      return attempt && { ...attempt, id, suffix };
    }));
    return found.filter((attempt) => attempt !== undefined);
  }
}

function isOpen({ record: { returnedCode, notice } }: FoundAttempt): boolean {
  return returnedCode === undefined && notice === undefined;
}
