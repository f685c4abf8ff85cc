/** The signed cookies of a sign-in: the authorization attempt, which binds a return to the browser that started it; the sign-in
 *  that waits; a notice; and the account that last signed in here. The return carries no `state` (interface 4.3), so a browser
 *  has one attempt, and the first return takes it. */

import type { Notice, SyncDisplay } from '@vestibule/shared';
import type { Request, Response } from 'express';
import type { Config } from '../config/config.ts';
import type { Cookies } from '../http/cookies.ts';
import { createKeyedHashes, randomId } from '../lib/identifiers.ts';
import type { Clock } from '../lib/time.ts';

interface Attempt {
  /** Unguessable; a repeated return of the attempt gets the same sign-in by it. */
  readonly id: string;
  readonly forum: string;
  /** The page that the reader comes from; empty for a window. */
  readonly returnTo: string;
  readonly display: SyncDisplay;
  /** BCP 47 tag of the page that the reader comes from. */
  readonly language?: string | undefined;
  /** Origin of the page that has opened the window; `undefined` without a window. */
  readonly opener?: string | undefined;
  /** A text waits for this sign-in. */
  readonly post?: true | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

const ATTEMPT = 'vestibule-attempt';
const NOTICE = 'vestibule-notice';
const SYNC = 'vestibule-sync';
const KNOWN = 'vestibule-known';

/** In this order in the cookie, which is short without their names. */
const members = ['id', 'forum', 'returnTo', 'display', 'language', 'opener', 'post', 'startedAt'] as const;

export const NOTICE_MS = 60_000;

const YEAR_MS = 365 * 86_400_000;

export function createSyncCookies(
  cookies: Cookies, config: Pick<Config, 'syncSeconds' | 'cookieSecrets'>, now: Clock,
) {
  const lifetimeMs = config.syncSeconds * 1000;
  const { keyOf, isKeyOf } = createKeyedHashes(config, 'known user');
  return {
    sync: (req: Request) => cookies.read(req, SYNC),

    isForeignSync: (req: Request) => cookies.isForeign(req, SYNC),

    /** `SameSite=Lax`: it proves nothing without an origin-checked POST, and a repeated return finds its sign-in. */
    setSync: (res: Response, value: string) => { cookies.write(res, SYNC, value, { sameSite: 'lax', maxAgeMs: lifetimeMs }); },

    clearSync,

    /** In place of an earlier one. `SameSite=Lax`: the return is a navigation from the service's site. */
    startAttempt(res: Response, attempt: Omit<Attempt, 'id' | 'startedAt'>): void {
      const started: Attempt = { ...attempt, id: randomId().slice(0, 22), startedAt: now() };
      cookies.write(res, ATTEMPT, encode(members.map((name) => started[name])), { sameSite: 'lax', maxAgeMs: lifetimeMs });
    },

    attempt(req: Request): Attempt | undefined {
      const text = cookies.read(req, ATTEMPT);
      const attempt = text === undefined ? undefined : attemptOf(decode(text));
      return attempt && now() - attempt.startedAt <= lifetimeMs ? attempt : undefined;
    },

    clearAttempt,

    setNotice(res: Response, notice: Notice): void {
      cookies.write(res, NOTICE, encode(notice), { sameSite: 'strict', maxAgeMs: NOTICE_MS });
    },

    notice(req: Request): Notice | undefined {
      const text = cookies.read(req, NOTICE);
      return text === undefined ? undefined : decode<Notice>(text);
    },

    clearNotice,

    /** Remembers the account that has finished a proven sign-in here, in place of an earlier one. A sign-out keeps it. */
    setKnown(res: Response, userId: string): void {
      cookies.write(res, KNOWN, keyOf(userId), { sameSite: 'lax', maxAgeMs: YEAR_MS });
    },

    isKnown(req: Request, userId: string): boolean {
      const key = cookies.read(req, KNOWN);
      return key !== undefined && isKeyOf(key, userId);
    },

    clear(req: Request, res: Response): void {
      if (cookies.read(req, ATTEMPT) !== undefined) clearAttempt(res);
      if (cookies.read(req, SYNC) !== undefined) clearSync(res);
      clearNotice(req, res);
    },
  };

  function clearSync(res: Response): void {
    cookies.clear(res, SYNC, 'lax');
  }

  function clearNotice(req: Request, res: Response): void {
    if (cookies.read(req, NOTICE) !== undefined) cookies.clear(res, NOTICE, 'strict');
  }

  function clearAttempt(res: Response): void {
    cookies.clear(res, ATTEMPT, 'lax');
  }
}

function attemptOf(values: readonly unknown[]): Attempt {
  return Object.fromEntries(members.map((name, i) => [name, values[i] ?? undefined])) as unknown as Attempt;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** @param text signed by us */
function decode<T>(text: string): T {
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as T;
}
