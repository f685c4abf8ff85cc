/** The routes of the sync: both variants lead to a pending sync, which validation or cancelling ends. */

import { Router, type Request, type RequestHandler, type Response } from 'express';
import * as z from 'zod';
import { endpoints, type SessionView, type SyncOutcome } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { requireForum } from '../config/require-forum.ts';
import { acceptsJson } from '../http/json-body.ts';
import { languagesOf } from '../http/languages.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { jsonObject, parseBody } from '../http/parse-body.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { SyncMetrics } from '../metrics/sync-metrics.ts';
import { randomId } from '../lib/random-id.ts';
import { authorizeUrl } from '../service/authorize-url.ts';
import type { ReaderCookies } from '../session/reader.ts';
import { validatingView } from '../session/session-router.ts';
import type { SessionManager } from '../session/session-manager.ts';
import type { Attempts } from './attempts.ts';
import type { FormPage } from './form-page.ts';
import { parseReturnQuery, parseSyncStart } from './parse-sync-return.ts';
import { parseReturnUri } from './return-uri.ts';
import type { FinishedSync, SyncFlow } from './sync-flow.ts';

export interface SyncDeps {
  readonly config: Config;
  readonly flow: SyncFlow;
  readonly attempts: Attempts;
  readonly cookies: ReaderCookies;
  readonly sessions: SessionManager;
  readonly formPage: FormPage;
  readonly metrics: { readonly syncs: SyncMetrics };
}

const validation = z.strictObject({ answers: jsonObject });

export function createSyncRouter(deps: SyncDeps): Router {
  const { config, flow, attempts, cookies, sessions, formPage, metrics: { syncs } } = deps;
  const origins = [...config.allowedOrigins, new URL(config.publicUrl).origin];
  const router = Router();
  const page = (path: string, handler: RequestHandler) => router.route(path).get(handler).all(methodNotAllowed('GET, HEAD'));
  const action = (path: string, handler: RequestHandler) => router.route(path).all(acceptsJson).post(handler).all(methodNotAllowed('POST'));
  page(endpoints.syncAuthorize.path, authorize);
  page(endpoints.syncReturn.path, takeReturn);
  page(endpoints.syncForm.path, showForm);
  page(endpoints.comments.path, showBox);
  action(endpoints.syncStart.path, start);
  action(endpoints.syncValidation.path, validate);
  action(endpoints.syncCancel.path, cancel);
  return router;

  /** Standard variant, step 1: binds the attempt to this browser and redirects to the service. */
  async function authorize(req: Request, res: Response): Promise<void> {
    const query = queryOf(req);
    const forum = requireForum(config.forums, once(query, 'forum'));
    const returnTo = parseReturnUri(origins, once(query, 'return_to') ?? `${origins[0]}/`);
    const display = once(query, 'display') ?? 'popup';
    if (display !== 'popup' && display !== 'page') {
      throw new ProblemError('invalid-request', { detail: 'display must be popup or page.' });
    }
    await attempts.begin(req, res, { forum, returnTo, display });
    res.redirect(302, authorizeUrl(config.serviceUrl, { clientId: config.publicKey, forum, redirectUri: config.redirectUri }));
  }

  /** Step 3. Without an attempt of this browser's (embedded variant) nothing changes: the page asks the reader first. */
  async function takeReturn(req: Request, res: Response): Promise<void> {
    const returned = attempts.began(req) ? parseReturnQuery(queryOf(req)) : undefined;
    const attempt = returned && await attempts.take(req);
    if (!attempt) {
      formPage.send(req, res);
      return;
    }
    if (returned.kind === 'granted') {
      await syncs.step(() => flow.begin(attempt.id, returned.syncReturn, attempt.forum), () => 'begun');
    } else {
      await syncs.step(() => attempts.leaveNotice(attempt, returned.kind), () => returned.kind);
    }
    res.redirect(303, attempt.display === 'page' ? attempt.returnTo : formPage.url);
  }

  function showForm(req: Request, res: Response): void {
    formPage.send(req, res);
  }

  function showBox(req: Request, res: Response): void {
    formPage.sendBox(req, res, requireForum(config.forums, once(queryOf(req), 'forum')));
  }

  /** Embedded variant: the reader's own click hands over what the return brought. */
  async function start(req: Request, res: Response<SessionView>): Promise<void> {
    const { forum: named, ...syncReturn } = parseSyncStart(req.body);
    const forum = requireForum(config.forums, named);
    const handle = await livingHandle(req) ?? randomId();
    await syncs.step(() => flow.begin(handle, syncReturn, forum), () => 'begun');
    if (handle !== cookies.sessionId(req)) cookies.setSessionId(res, handle);
    const pending = { ...syncReturn, forum, beganAt: 0 };
    res.status(201).json(validatingView(config, pending, languagesOf(req)));
  }

  async function validate(req: Request, res: Response<SyncOutcome>): Promise<void> {
    const { answers } = parseBody(validation, req.body);
    const finish = () => flow.validate(cookies.handles(req), answers, languagesOf(req));
    answer(req, res, await syncs.step(finish, outcomeOf));
  }

  async function cancel(req: Request, res: Response<SyncOutcome>): Promise<void> {
    if (req.body !== undefined) parseBody(z.strictObject({}), req.body);
    answer(req, res, await syncs.step(() => flow.cancel(cookies.handles(req)), outcomeOf));
  }

  /** The transaction cookie of this sync is over; where the box is still to be told of a rejection, `GET /session` needs it. */
  function answer(req: Request, res: Response<SyncOutcome>, { outcome, sessionId, handle }: FinishedSync): void {
    for (const [suffix, id] of cookies.attempts(req)) {
      if (id === handle && outcome.outcome !== 'rejected') cookies.clearAttempt(res, suffix);
    }
    if (sessionId !== undefined) cookies.setSessionId(res, sessionId);
    res.json(outcome);
  }

  /** The session id that this browser has already, where something lives under it: an id of an ended session is not
   *  taken up again. */
  async function livingHandle(req: Request): Promise<string | undefined> {
    const id = cookies.sessionId(req);
    if (id === undefined) return undefined;
    return await sessions.find(id) || await flow.find([id]) ? id : undefined;
  }
}

function outcomeOf({ outcome }: FinishedSync): SyncOutcome['outcome'] {
  return outcome.outcome;
}

/** The query as the standard parses it: nothing nested, duplicates kept apart. */
function queryOf(req: Request): URLSearchParams {
  const [, query = ''] = req.originalUrl.split(/\?(.*)/s);
  return new URLSearchParams(query);
}

function once(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw new ProblemError('invalid-request', { detail: `${name} comes more than once.` });
  return values[0];
}
