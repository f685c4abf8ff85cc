/** Sessions: a signed cookie `<id>.<tag>` and an encrypted record. The tag is the SHA-256 of the user id, by which the sessions
 *  of a user are found. A session is written once, at the sign-in: no request in progress
 *  brings an ended one back. */

import type { User } from '@vestibule/shared';
import type { NextFunction, Request, Response } from 'express';
import { foreignCookie, type Cookies, type WithCookies } from '../http/cookies.ts';
import { ProblemError } from '../problem.ts';
import { sha256, type KeyedHashes } from '../lib/identifiers.ts';
import type { Clock } from '../lib/time.ts';
import type { TokenGrant } from '../service/client.ts';
import type { Records } from '../store/records.ts';
import { ignoreUnavailableStore } from '../store/store.ts';
import type { AcceptedUser } from '../config/types.ts';

export interface Session {
  readonly user: AcceptedUser;
  readonly shownName?: string | undefined;
  /** From the token exchange (interface 4.4). */
  readonly accessToken: string;
  /** Milliseconds since the epoch. */
  readonly signedInAt: number;
  /** When the token ends, in milliseconds since the epoch; absent if unknown. */
  readonly tokenEndsAt?: number;
}

export type Reader = Session & { readonly session: SessionId };

export interface NewSession {
  /** Unguessable. */
  readonly id: string;
  readonly user: AcceptedUser;
  /** The name that the reader was shown, where the exchange returned the id and no name: the claimed one of a bound return,
   *  otherwise the id. Only the reader's own box and window show it: hooks and profiles get the id as name. */
  readonly shownName?: string | undefined;
}

/** The user as the reader's own box and window show it. */
export function shownUser({ user: { user_id, username }, shownName }: Pick<NewSession, 'user' | 'shownName'>): User {
  return { user_id, username: shownName ?? username };
}

export interface SessionId {
  readonly id: string;
  readonly tag: string;
  /** Then limits, posts and profile belong to this session only. */
  readonly isUnproven: boolean;
  /** Key of the reader's limits and posts. */
  readonly readerKey: string;
}

const COOKIE = 'vestibule';

/** End of the cookie of an unproven user. */
const UNPROVEN = '.own';

/** The idle expiry moves after this share of the idle lifetime: one write for many requests. */
const TOUCH_AFTER = 0.05;

/** Age up to which a session survives a 401 that says nothing. */
const NEW_MS = 60_000;

const withoutCookie = {
  reason: 'no session cookie arrived', setting: 'VESTIBULE_PUBLIC_URL: its site is that of the pages, and the proxy passes cookies on',
};

const notInStore = {
  reason: 'the session expired or was ended, or is in another store', setting: 'if frequent: VESTIBULE_STORE, the same for every process',
};

export interface SessionsDeps {
  readonly cookies: Cookies;
  readonly records: Records<Session>;
  readonly logIds: Pick<KeyedHashes, 'keyOf'>;
  readonly config: { readonly sessionIdleSeconds: number; readonly sessionAbsoluteSeconds: number };
  readonly now: Clock;
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ cookies, records, logIds, config, now }: SessionsDeps) {
  const idleMs = config.sessionIdleSeconds * 1000;
  const absoluteMs = config.sessionAbsoluteSeconds * 1000;
  return {
    idOf,
    liveIdOf,
    endCreated,
    claimed,
    logIdOf,
    publicIdOf,
    callerOf,
    create,
    find,
    requireCookie,
    require,
    /** Sets the cookie: `SameSite=Strict`, for the absolute lifetime. */
    setCookie: (res: Response, { id, tag, isUnproven }: SessionId) => {
      cookies.write(res, COOKIE, `${id}.${tag}${isUnproven ? UNPROVEN : ''}`, { sameSite: 'strict', maxAgeMs: absoluteMs });
    },
    clearCookie: (res: Response) => { cookies.clear(res, COOKIE, 'strict'); },
    end: async (session: SessionId) => { await records.delete(session); },
  };

  function idOf({ id, user }: NewSession): SessionId {
    return sessionId(id, sha256(user.user_id), user.proven === false);
  }

  /** The id under which the session of a sign-in lives; `undefined`: it is over. */
  async function liveIdOf(session: NewSession): Promise<SessionId | undefined> {
    const id = idOf(session);
    return await records.find(id) && id;
  }

  /** Ends the session of a sign-in. */
  async function endCreated(session: NewSession): Promise<void> {
    await records.delete(idOf(session));
  }

  /** What the cookie of a request names; the store decides whether the session is live. */
  function claimed(req: WithCookies): SessionId | undefined {
    const cookie = cookies.read(req, COOKIE) ?? '';
    const [id, tag] = cookie.split('.');
    return id && tag ? sessionId(id, tag, cookie.endsWith(UNPROVEN)) : undefined;
  }

  /** Stands in the log for the user whose session cookie arrived. */
  function logIdOf(req: WithCookies): string | undefined {
    const tag = claimed(req)?.tag;
    return tag === undefined ? undefined : logIds.keyOf(tag);
  }

  /** Names a session to its own browser and is worth nothing elsewhere. */
  function publicIdOf({ id }: Pick<SessionId, 'id'>): string {
    return sha256('session view', id).slice(0, 22);
  }

  /** For calls to the service on behalf of the reader: a session that the store cannot end now ends with the next refusal. */
  function callerOf({ accessToken, signedInAt, session }: Reader) {
    return {
      token: { accessToken, isNew: now() - signedInAt < NEW_MS },
      end: async () => { await records.delete(session).catch(ignoreUnavailableStore); },
    };
  }

  /** Idempotent. @param token `expiresIn` in seconds */
  async function create(session: NewSession, { accessToken, expiresIn }: Pick<TokenGrant, 'accessToken' | 'expiresIn'>): Promise<void> {
    const signedInAt = now();
    const end = expiresIn !== undefined && { tokenEndsAt: signedInAt + expiresIn * 1000 };
    const { user, shownName } = session;
    const record: Session = { user, shownName, accessToken, signedInAt, ...end };
    await records.put(idOf(session), record, lifetimeOf(record));
  }

  /** The live reader of a request, with the idle lifetime extended if the store takes the write. `undefined`: ended, expired, or
   *  never created. @throws {StoreUnavailableError} */
  async function find(req: WithCookies): Promise<Reader | undefined> {
    const session = claimed(req);
    const found = session && await records.find(session);
    const lifetimeMs = found ? lifetimeOf(found.record) : 0;
    if (!found || lifetimeMs <= 0) return undefined;
    if (lifetimeMs - found.restMs > idleMs * TOUCH_AFTER) await records.touch(session, lifetimeMs).catch(ignoreUnavailableStore);
    return { ...found.record, session };
  }

  /** Guard: refuses a request without the signed cookie of a session. Needs no look-up. */
  function requireCookie(req: Request, _res: Response, next: NextFunction): void {
    if (claimed(req)) return next();
    throw new ProblemError('not-signed-in', { diagnosis: cookies.isForeign(req, COOKIE) ? foreignCookie : withoutCookie });
  }

  /** After `requireCookie`. @throws {ProblemError} `not-signed-in` */
  async function require(req: WithCookies): Promise<Reader> {
    const reader = await find(req);
    if (!reader) throw new ProblemError('not-signed-in', { diagnosis: notInStore });
    return reader;
  }

  /** Of a session from now on, in ms. */
  function lifetimeOf({ signedInAt, tokenEndsAt = Infinity }: Session): number {
    return Math.min(idleMs, signedInAt + absoluteMs - now(), tokenEndsAt - now());
  }
}

function sessionId(id: string, tag: string, isUnproven: boolean): SessionId {
  return { id, tag, isUnproven, readerKey: isUnproven ? sha256('session', id) : tag };
}
