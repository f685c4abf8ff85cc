/** `GET /session`, `DELETE /session`: who the reader is, and signing out. */

import { Router, type Request, type Response } from 'express';
import { endpoints, type Notice, type SessionView } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { acceptsJson } from '../http/json-body.ts';
import { languagesOf } from '../http/languages.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { localizeForm } from '../sync/form-view.ts';
import type { PendingSync } from '../sync/pending-sync.ts';
import type { SyncFlow } from '../sync/sync-flow.ts';
import { lookUp, type LookUpDeps } from './look-up.ts';
import type { ReaderCookies } from './reader.ts';

export interface SessionViewDeps extends LookUpDeps {
  readonly config: Pick<Config, 'messageMaxLength' | 'validation'>;
  readonly cookies: ReaderCookies;
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
  router.route(endpoints.session.path).all(acceptsJson).get(getSession).delete(signOut).all(methodNotAllowed('GET, HEAD, DELETE'));
  return router;

  /** A sync that is older than the sign-in is another tab's: that tab may finish it, this one has nothing to finish. */
  async function getSession(req: Request, res: Response<SessionView>): Promise<void> {
    const { session, sync, noticed } = await lookUp(cookies.sessionId(req), cookies.handles(req), deps);
    const notice = req.method === 'HEAD' ? undefined : await takeNotice(noticed);
    const told = notice && { notice };
    const isOutstripped = sync && session && session.signedInAt >= sync.beganAt;
    if (sync && !isOutstripped) {
      res.json({ ...validatingView(config, sync, languagesOf(req)), ...told });
    } else if (session) {
      const { user, forum } = session;
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

  async function takeNotice(noticed: readonly string[]): Promise<Notice | undefined> {
    if (noticed.length === 0) return undefined;
    const taken = await Promise.all(noticed.map((handle) => notices.take(handle)));
    return taken.filter((one) => one !== undefined).sort((a, b) => b.at - a.at)[0]?.notice;
  }
}

function limitsOf({ messageMaxLength }: Pick<Config, 'messageMaxLength'>): SessionView['limits'] {
  return { message_max_length: messageMaxLength };
}
