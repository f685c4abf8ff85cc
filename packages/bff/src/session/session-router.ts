/** `GET /session`: who the reader is. `DELETE /session`: signing out. */

import { Router, type Request, type Response } from 'express';
import { endpoints, type SessionView } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { acceptsJson } from '../http/json-body.ts';
import { languagesOf, queryOf } from '../http/request-input.ts';
import { methodNotAllowed } from '../http/problem-error.ts';
import type { AuthorizationAttempts, Ending } from '../sync/authorization-attempts.ts';
import type { SignIn } from '../sync/sign-in.ts';
import type { FoundSync, SyncTransactions } from '../sync/sync-transaction.ts';
import type { BrowserCookies } from './browser-cookies.ts';
import type { Readers } from './reader.ts';
import type { SessionManager } from './session-manager.ts';
import { sessionView } from './session-view.ts';

export interface SessionRouterDeps {
  readonly config: Pick<Config, 'messageMaxLength' | 'validation'>;
  readonly cookies: BrowserCookies;
  readonly readers: Readers;
  readonly sessions: SessionManager;
  readonly transactions: SyncTransactions;
  readonly attempts: AuthorizationAttempts;
  readonly signIn: SignIn;
}

export function createSessionRouter(deps: SessionRouterDeps): Router {
  const { config, cookies, readers, sessions, transactions, attempts, signIn } = deps;
  const router = Router({ caseSensitive: true });
  router.route(endpoints.session.path).all(acceptsJson).get(getSession).delete(signOut).all(methodNotAllowed('GET, HEAD, DELETE'));
  return router;

  async function getSession(req: Request, res: Response<SessionView>): Promise<void> {
    const [session, syncs] = await Promise.all([readers.find(req), transactions.findAll(cookies.syncKeys(req))]);
    const leavesNotice = req.method === 'HEAD' || queryOf(req).has('watch');
    const ending = leavesNotice ? {} : await takeNotice(req, res, syncs);
    res.json(sessionView(config, { session, syncs, ...ending, languages: () => languagesOf(req) }));
  }

  /** Ends everything of this browser in the store first: after a failure the cookies still name what to end. */
  async function signOut(req: Request, res: Response): Promise<void> {
    const sessionId = cookies.sessionId(req);
    const syncKeys = cookies.syncKeys(req);
    await signIn.forget(syncKeys);
    if (sessionId !== undefined) await sessions.end(sessionId);
    await attempts.forget(req, res);
    if (sessionId !== undefined) cookies.clearSessionId(res);
    for (const key of syncKeys) cookies.clearSyncKey(res, key);
    res.status(204).end();
  }

  async function takeNotice(req: Request, res: Response, syncs: readonly FoundSync[]): Promise<Ending> {
    let ending = await attempts.takeNotice(req, res);
    for (const sync of syncs) {
      const { record } = sync;
      if (record.state !== 'done' || record.notice === undefined) continue;
      const { notice, revision: _, ...done } = record;
      if (await transactions.move(sync, done) && !ending.notice) ending = { notice };
    }
    return ending;
  }
}
