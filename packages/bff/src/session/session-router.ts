/** `GET /session`, `DELETE /session`: who the reader is, and signing out. */

import { Router, type Request, type Response } from 'express';
import { endpoints, type Notice, type SessionView } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { languagesOf } from '../http/languages.ts';
import type { Records } from '../store/records.ts';
import { localizeForm } from '../sync/form-view.ts';
import type { PendingNotice, PendingSync } from '../sync/pending-sync.ts';
import type { SyncFlow } from '../sync/sync-flow.ts';
import { findReader, type ReaderCookies } from './reader.ts';
import type { SessionManager } from './session-manager.ts';

export interface SessionViewDeps {
  readonly config: Pick<Config, 'messageMaxLength' | 'validation'>;
  readonly cookies: ReaderCookies;
  readonly sessions: SessionManager;
  readonly notices: Records<PendingNotice>;
  readonly flow: SyncFlow;
}

/** The shape of `GET /session` for a pending sync. */
export function validatingView(config: SessionViewDeps['config'], sync: PendingSync, languages: readonly string[]): SessionView {
  return {
    state: 'validating',
    user: { user_id: sync.user_id, username: sync.username },
    forum: sync.forum,
    form: localizeForm(config.validation.fields, languages),
    limits: limitsOf(config),
  };
}

export function createSessionRouter(deps: SessionViewDeps): Router {
  const { config, cookies, sessions, notices, flow } = deps;
  const router = Router();
  router.get(endpoints.session.path, getSession);
  router.delete(endpoints.signOut.path, signOut);
  router.all(endpoints.session.path, methodNotAllowed('GET, HEAD, DELETE'));
  return router;

  /** A sync that is older than the sign-in is another tab's: that tab may finish it, this one has nothing to finish. */
  async function getSession(req: Request, res: Response<SessionView>): Promise<void> {
    const handles = cookies.handles(req);
    const [reader, pending, notice] = await Promise.all([
      findReader(req, cookies, sessions),
      flow.find(handles),
      req.method === 'HEAD' ? undefined : takeNotice(handles),
    ]);
    const told = notice && { notice };
    const isOutstripped = pending && reader && reader.session.signedInAt >= pending.sync.beganAt;
    if (pending && !isOutstripped) {
      res.json({ ...validatingView(config, pending.sync, languagesOf(req)), ...told });
    } else if (reader) {
      const { user, forum } = reader.session;
      res.json({ state: 'signed-in', user, forum, limits: limitsOf(config), ...told });
    } else {
      res.json({ state: 'anonymous', limits: limitsOf(config), ...told });
    }
  }

  async function signOut(req: Request, res: Response): Promise<void> {
    const handles = cookies.handles(req);
    await Promise.all(handles.map(async (handle) => {
      await Promise.all([sessions.end(handle), flow.forget(handle)]);
    }));
    if (cookies.sessionId(req) !== undefined) cookies.clearSessionId(res);
    for (const suffix of cookies.attempts(req).keys()) cookies.clearAttempt(res, suffix);
    res.status(204).end();
  }

  /** Looks first: hardly ever is there one, and taking is a write. */
  async function takeNotice(handles: readonly string[]): Promise<Notice | undefined> {
    const found = await Promise.all(handles.map(async (handle) => await notices.find(handle) && notices.take(handle)));
    return found.filter((one) => one !== undefined).sort((a, b) => b.at - a.at)[0]?.notice;
  }
}

function limitsOf({ messageMaxLength }: Pick<Config, 'messageMaxLength'>): SessionView['limits'] {
  return { message_max_length: messageMaxLength };
}
