/** The signed-in reader of a request. */

import type { IncomingMessage } from 'node:http';
import type { AcceptedUser } from '../config/hooks.ts';
import { ProblemError } from '../http/problem-error.ts';
import { contextOf } from '../http/request-context.ts';
import { sha256 } from '../lib/identifiers.ts';
import type { BrowserCookies } from './browser-cookies.ts';
import type { Session, SessionManager } from './session-manager.ts';

export interface Reader extends Session {
  readonly sessionId: string;
}

/** Key of a reader's profile, limits and posts: the `user_id`; for an unproven user of that session only, because the browser can
 *  claim any `user_id`. */
export function readerKey({ user_id, proven }: AcceptedUser, sessionId: string): string {
  return proven === false ? sha256('unproven', user_id, sessionId) : user_id;
}

/** For the log, where a cookie is missing. */
export const COOKIES_SETTING = 'VESTIBULE_PUBLIC_URL: its site is that of the pages, and the proxy passes cookies on';

export class Readers {
  readonly #cookies: BrowserCookies;
  readonly #sessions: SessionManager;
  readonly #found = new WeakMap<IncomingMessage, Promise<Reader | undefined>>();

  constructor(cookies: BrowserCookies, sessions: SessionManager) {
    this.#cookies = cookies;
    this.#sessions = sessions;
  }

  /** `undefined` without a live session. Looked up once a request. @throws {StoreUnavailableError} */
  find(req: IncomingMessage): Promise<Reader | undefined> {
    const found = this.#found.get(req) ?? this.#lookUp(req);
    this.#found.set(req, found);
    return found;
  }

  /** @throws {ProblemError} `not-signed-in` */
  async require(req: IncomingMessage): Promise<Reader> {
    const reader = await this.find(req);
    if (reader) return reader;
    const isCookieMissing = this.#cookies.sessionId(req) === undefined;
    const reason = isCookieMissing ? 'no session cookie arrived' : 'the session expired or was ended';
    throw new ProblemError('not-signed-in', { diagnosis: { reason, setting: isCookieMissing ? COOKIES_SETTING : 'nothing: the reader signs in again' } });
  }

  async #lookUp(req: IncomingMessage): Promise<Reader | undefined> {
    const sessionId = this.#cookies.sessionId(req);
    const session = sessionId === undefined ? undefined : await this.#sessions.find(sessionId);
    if (!session) return undefined;
    contextOf(req).userId = session.user.user_id;
    return { ...session, sessionId: sessionId as string };
  }
}
