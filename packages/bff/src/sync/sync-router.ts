/** The routes of a sign-in: both variants lead to a transaction, which validation or cancellation ends. */

import * as z from 'zod';
import { endpoints, IDEMPOTENCY_KEY_HEADER, INSTANCE_PREFIX, type SessionView, type SyncOutcome } from '@vestibule/shared';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Config } from '../config/config.ts';
import { acceptsJson } from '../http/json-body.ts';
import { methodNotAllowed, ProblemError } from '../http/problem-error.ts';
import { toProblemError, type ReportFailure } from '../http/problem-response.ts';
import { clientAddressHash } from '../http/rate-limit.ts';
import { contextOf } from '../http/request-context.ts';
import {
  jsonObject, languagesOf, parseInput, parseIdempotencyKey, queryOf, requireForum, singleValue, text,
} from '../http/request-input.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { authorizeUrl } from '../service/sign-in-urls.ts';
import type { BrowserCookies } from '../session/browser-cookies.ts';
import type { Readers } from '../session/reader.ts';
import type { SessionManager } from '../session/session-manager.ts';
import { sessionView } from '../session/session-view.ts';
import type { AuthorizationAttempts, FoundAttempt } from './authorization-attempts.ts';
import type { Pages } from './pages.ts';
import type { FinishedSync, SignIn, SignInBrowser } from './sign-in.ts';
import { parseReturnQuery, parseReturnUri, parseSyncStart, serviceErrorOf, type ReturnQuery } from './sync-return.ts';
import type { SyncTransactions } from './sync-transaction.ts';

export interface SyncRouterDeps {
  readonly config: Config;
  readonly signIn: SignIn;
  readonly transactions: SyncTransactions;
  readonly attempts: AuthorizationAttempts;
  readonly cookies: BrowserCookies;
  readonly readers: Readers;
  readonly sessions: SessionManager;
  readonly pages: Pages;
  readonly metrics: Pick<Metrics, 'syncs'>;
  readonly reportFailure: ReportFailure;
}

/** The service shows a refused redirect URI on its own page: such a sign-in never returns. */
const MANY_STARTS = 20;

const validationBody = z.strictObject({ sync: text, username: text, answers: jsonObject });
const cancellationBody = z.strictObject({ sync: text });

export function createSyncRouter(deps: SyncRouterDeps): Router {
  const { config, signIn, transactions, attempts, cookies, readers, sessions, pages, metrics: { syncs }, reportFailure } = deps;
  const { origins } = config;
  const hasPagesOfOtherOrigins = origins.length > 1;
  let startsWithoutReturn = 0;

  const router = Router({ caseSensitive: true });
  const page = (path: string, handler: RequestHandler) => router.route(path).get(handler).all(methodNotAllowed('GET, HEAD'));
  const action = (path: string, handler: RequestHandler) => router.route(path).all(acceptsJson).post(handler).all(methodNotAllowed('POST'));
  page(endpoints.syncAuthorize.path, authorize);
  page(endpoints.syncReturn.path, receiveReturn);
  page(endpoints.syncForm.path, (req, res) => { pages.sendForm(req, res); });
  page(endpoints.comments.path, (req, res) => { pages.sendBox(req, res, requireForum(config.forums, singleValue(queryOf(req), 'forum'))); });
  action(endpoints.syncStart.path, start);
  action(endpoints.syncValidation.path, validate);
  action(endpoints.syncCancel.path, cancel);
  return router;

  /** Step 1 of the standard variant, or the start of the embedded one (`embeddedUrl`). Binds the attempt to this browser
   *  where a page of this site made it: another site could otherwise plant a sign-in. */
  async function authorize(req: Request, res: Response): Promise<void> {
    const query = queryOf(req);
    const forum = requireForum(config.forums, singleValue(query, 'forum'));
    const returnTo = parseReturnUri(origins, singleValue(query, 'return_to') ?? `${origins[0]}/`);
    const display = singleValue(query, 'display') ?? 'popup';
    if (display !== 'popup' && display !== 'page') {
      throw new ProblemError('invalid-request', { detail: 'display must be popup or page.' });
    }
    const site = req.get('Sec-Fetch-Site');
    if (site === 'cross-site') {
      pages.sendContinue(req, res, { forum, returnTo, display });
      return;
    }
    if (site === 'same-origin' || (site === 'same-site' && hasPagesOfOtherOrigins)) {
      await attempts.start(req, res, { forum, returnTo, display, syncKeys: cookies.syncKeys(req) });
      if (++startsWithoutReturn % MANY_STARTS === 0) {
        reportRefusal(
          req, `${MANY_STARTS} sign-ins in a row did not return: the service's page refuses the redirect URI or the public key, or is down`,
          config.embeddedUrl === undefined ? 'VESTIBULE_REDIRECT_URI, VESTIBULE_PUBLIC_KEY, VESTIBULE_SERVICE_URL' : 'VESTIBULE_EMBEDDED_URL',
        );
      }
    }
    res.redirect(302, config.embeddedUrl ?? authorizeUrl(config, forum));
  }

  /** Logs a failure at the service, which the response does not show. */
  function reportRefusal(req: Request, reason: string, setting: string): void {
    reportFailure(new ProblemError('service-refused', { diagnosis: { reason, setting } }), req);
  }

  /** Step 3. A return without an attempt of this browser changes nothing: the page asks the reader first. */
  async function receiveReturn(req: Request, res: Response): Promise<void> {
    startsWithoutReturn = 0;
    const isBound = req.method === 'GET' && cookies.attempts(req).size > 0;
    const returned = isBound ? parseReturnQuery(queryOf(req)) : undefined;
    const attempt = returned && await receive(req, res, returned);
    if (attempt) res.redirect(303, attempt.record.display === 'page' ? attempt.record.returnTo : pages.formUrl);
    else pages.sendForm(req, res);
    // Last: a failure of this request has a line of its own.
    const error = serviceErrorOf(queryOf(req));
    if (error !== undefined) reportRefusal(req, `the service returned the reader with ${error}`, 'VESTIBULE_FORUMS, VESTIBULE_REDIRECT_URI');
    else reportMalformedReturn(req);
  }

  function reportMalformedReturn(req: Request): void {
    try {
      parseReturnQuery(queryOf(req));
    } catch (error) {
      reportFailure(toProblemError(error), req);
    }
  }

  async function receive(req: Request, res: Response, returned: ReturnQuery): Promise<FoundAttempt | undefined> {
    if (returned.kind !== 'granted') {
      const { kind: notice } = returned;
      const failure = serviceErrorOf(queryOf(req)) !== undefined && { instance: INSTANCE_PREFIX + contextOf(req).id };
      return syncs.track(() => attempts.endWithNotice(req, { notice, ...failure }), () => notice);
    }
    const attempt = await attempts.endWithCode(req, returned.syncReturn.code);
    if (!attempt) return undefined;
    const { id: requestKey, suffix, record: { forum, syncKeys } } = attempt;
    const key = await syncs.track(
      () => signIn.start(returned.syncReturn, forum, { syncKeys, requestKey }),
      () => 'begun',
    );
    await attempts.noteSync(req, key);
    cookies.clearAttempt(res, suffix);
    // A return from another site brings no Strict cookies.
    cookies.setSyncKey(res, key, [...new Set([...syncKeys, ...cookies.syncKeys(req)])]);
    return attempt;
  }

  /** Embedded variant: the reader's click hands over what the return brought. With an `Idempotency-Key`, a repeated request
   *  gets the same sign-in. */
  async function start(req: Request, res: Response<SessionView>): Promise<void> {
    startsWithoutReturn = 0;
    const { forum: named, ...syncReturn } = parseSyncStart(req.body);
    const forum = requireForum(config.forums, named);
    const requestKey = req.get(IDEMPOTENCY_KEY_HEADER) === undefined ? undefined : parseIdempotencyKey(req);
    const key = await syncs.track(() => signIn.start(syncReturn, forum, { syncKeys: cookies.syncKeys(req), requestKey }), () => 'begun');
    const [session, sync] = await Promise.all([readers.find(req), transactions.find(key)]);
    if (!sync) throw new ProblemError('no-sync-in-progress');
    await attempts.noteSync(req, key);
    cookies.setSyncKey(res, key, cookies.syncKeys(req));
    res.status(201).json(sessionView(config, { session, syncs: [sync], languages: () => languagesOf(req) }));
  }

  async function validate(req: Request, res: Response<SyncOutcome>): Promise<void> {
    const { sync, username, answers } = parseInput(validationBody, req.body);
    const validation = { username, answers, languages: languagesOf(req) };
    await respond(res, await syncs.track(() => signIn.validate(sync, validation, browserOf(req)), outcomeOf));
  }

  async function cancel(req: Request, res: Response<SyncOutcome>): Promise<void> {
    const { sync } = parseInput(cancellationBody, req.body);
    await respond(res, await syncs.track(() => signIn.cancel(sync, browserOf(req)), outcomeOf));
  }

  /** The cookie of the sign-in stays: the identical request gets the same response until the transaction expires. Only the
   *  cookie of a session that has ended since is not set again: it would replace that of a newer session. */
  async function respond(res: Response<SyncOutcome>, { outcome, sessionId }: FinishedSync): Promise<void> {
    if (sessionId !== undefined && await sessions.find(sessionId)) cookies.setSessionId(res, sessionId);
    res.json(outcome);
  }

  function browserOf(req: Request): SignInBrowser {
    return {
      syncKeys: cookies.syncKeys(req),
      sessionId: cookies.sessionId(req),
      partition: clientAddressHash(req),
      requestId: contextOf(req).id,
    };
  }
}

function outcomeOf({ outcome }: FinishedSync): SyncOutcome['outcome'] {
  return outcome.outcome;
}
