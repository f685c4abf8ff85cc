/** The routes of a sign-in: both variants lead to a record of `sync.ts`, which validation or cancellation ends. */

import * as z from 'zod';
import { IDEMPOTENCY_KEY_HEADER, INSTANCE_PREFIX, type Answers, type SessionView, type SyncOutcome, type User } from '@vestibule/shared';
import type { Request, Response } from 'express';
import type { Config } from '../config/config.ts';
import type { RunHook } from '../hooks.ts';
import { ProblemError } from '../http/problem.ts';
import { toProblemError, type ReportFailure } from '../http/problem-response.ts';
import { clientAddressHash } from '../http/rate-limit.ts';
import {
  contextOf, jsonObject, languagesOf, parseIdempotencyKey, parseInput, queryOf, requireForum, singleValue, text,
} from '../http/request.ts';
import type { Clock } from '../lib/time.ts';
import type { Metrics } from '../metrics.ts';
import type { ServiceClient } from '../service/client.ts';
import { authorizeUrl } from '../service/urls.ts';
import type { Sessions } from '../session/session.ts';
import { StoreUnavailableError } from '../store/store.ts';
import type { SyncCookies } from './attempt.ts';
import { localizeForm, validateAnswers } from './form.ts';
import type { Pages } from './pages.ts';
import type { Profiles } from './profiles.ts';
import { parseReturnQuery, parseReturnUri, parseSyncStart, serviceErrorOf } from './return.ts';
import type { Decision, FinishedSync, Syncs } from './sync.ts';

export interface SyncRoutesDeps {
  readonly config: Config;
  readonly syncs: Syncs;
  readonly cookies: SyncCookies;
  readonly sessions: Sessions;
  readonly profiles: Profiles;
  readonly pages: Pages;
  readonly service: ServiceClient;
  readonly runHook: RunHook;
  readonly metrics: Metrics;
  readonly reportFailure: ReportFailure;
  readonly now: Clock;
}

/** The service shows a refused redirect URI on its own page: such a sign-in never returns. */
const MANY_STARTS = 20;

const validationBody = z.strictObject({ sync: text, username: text, answers: jsonObject });
const cancellationBody = z.strictObject({ sync: text });

/** Handlers by endpoint. */
export function createSyncRoutes(deps: SyncRoutesDeps) {
  const { config, syncs, cookies, sessions, profiles, pages, service, runHook, metrics, reportFailure, now } = deps;
  const { origins, validation } = config;
  let startsWithoutReturn = 0;
  return { authorize, receiveReturn, receivePost, form, start, validate, cancel, getSession, signOut };

  /** Step 1 of the standard variant. Without `Sec-Fetch-Site` the attempt is not bound: another site could plant a sign-in. */
  async function authorize(req: Request, res: Response): Promise<void> {
    const query = queryOf(req);
    const forum = requireForum(config.forums, singleValue(query, 'forum'));
    const returnTo = parseReturnUri(origins, singleValue(query, 'return_to') ?? `${origins[0]}/`);
    const display = singleValue(query, 'display') ?? 'popup';
    if (display !== 'popup' && display !== 'page') throw new ProblemError('invalid-request', { detail: 'display must be popup or page.' });
    const site = req.get('Sec-Fetch-Site');
    if (site === 'cross-site') {
      pages.sendContinue(req, res, { forum, returnTo, display });
      return;
    }
    if (site === 'same-origin' || (site === 'same-site' && origins.length > 1)) {
      cookies.startAttempt(req, res, { forum, display, returnTo: display === 'page' ? returnTo : '' });
      if (++startsWithoutReturn % MANY_STARTS === 0) {
        reportRefusal(
          req, `${MANY_STARTS} sign-ins in a row did not return: the service's page refuses the redirect URI or the public key, or is down`,
          config.embeddedUrl === undefined ? 'VESTIBULE_REDIRECT_URI, VESTIBULE_PUBLIC_KEY, VESTIBULE_SERVICE_URL' : 'VESTIBULE_EMBEDDED_URL',
        );
      }
    }
    redirect(res, 302, config.embeddedUrl ?? authorizeUrl(config, forum));
  }

  /** Logs a failure at the service, which the response does not show. */
  function reportRefusal(req: Request, reason: string, setting: string): void {
    reportFailure(new ProblemError('service-refused', { diagnosis: { reason, setting } }), req);
  }

  /** Step 3. A return without an attempt of this browser changes nothing: the page asks the reader first. */
  async function receiveReturn(req: Request, res: Response): Promise<void> {
    const query = queryOf(req);
    const attempt = req.method === 'GET' ? cookies.attempt(req) : undefined;
    if (attempt) startsWithoutReturn = 0;
    const returned = attempt && parseReturnQuery(query);
    if (attempt && returned?.kind === 'granted') {
      const known = cookies.sync(req);
      const cookie = syncs.cookieFor(returned.syncReturn.code, known, attempt.id);
      const name = await metrics.syncs.track(() => startSync(res, cookie, () => syncs.start(returned.syncReturn, attempt.forum, cookie, known)), () => 'begun');
      cookies.clearAttempt(res, attempt);
      cookies.setSync(res, name);
    } else if (attempt && returned && returned.kind !== 'granted') {
      cookies.clearAttempt(res, attempt);
      metrics.syncs.count(returned.kind);
      const hasFailed = serviceErrorOf(query) !== undefined;
      const { id } = contextOf(req);
      cookies.setNotice(res, { id, kind: returned.kind, ...(hasFailed && { instance: INSTANCE_PREFIX + id }) });
    }
    if (attempt && returned) redirect(res, 303, attempt.display === 'page' ? attempt.returnTo : pages.formUrl);
    else pages.sendForm(req, res);
    reportReturn(req, query);
  }

  /** Last: a failure of the request has a line of its own. */
  function reportReturn(req: Request, query: URLSearchParams): void {
    const error = serviceErrorOf(query);
    if (error !== undefined) return reportRefusal(req, `the service returned the reader with ${error}`, 'VESTIBULE_FORUMS, VESTIBULE_REDIRECT_URI');
    try {
      parseReturnQuery(query);
    } catch (failure) {
      reportFailure(toProblemError(failure), req);
    }
  }

  /** A service that returns by POST: the GET that follows has the cookies of a navigation. */
  function receivePost(req: Request, res: Response): void {
    const query = queryOf(req);
    const body = typeof req.body === 'string' ? new URLSearchParams(req.body) : new URLSearchParams();
    for (const [name, value] of body) query.append(name, value);
    redirect(res, 303, `${config.publicUrl}/sync/return?${query.toString()}`);
  }

  function form(req: Request, res: Response): void {
    pages.sendForm(req, res);
  }

  /** Embedded variant: the reader's click hands over what the return brought. */
  async function start(req: Request, res: Response<SessionView>): Promise<void> {
    const { forum: named, ...syncReturn } = parseSyncStart(req.body);
    const forum = requireForum(config.forums, named);
    const requestKey = req.get(IDEMPOTENCY_KEY_HEADER) === undefined ? undefined : parseIdempotencyKey(req);
    const known = cookies.sync(req);
    const cookie = syncs.cookieFor(syncReturn.code, known, requestKey);
    const name = await metrics.syncs.track(() => startSync(res, cookie, () => syncs.start(syncReturn, forum, cookie, known)), () => 'begun');
    cookies.setSync(res, name);
    res.status(201).json(await viewOf(req, name));
  }

  /** The cookie is set on a 503 too, so that the identical request resumes. */
  async function startSync(res: Response, cookie: string, begin: () => Promise<string>): Promise<string> {
    try {
      return await begin();
    } catch (error) {
      if (error instanceof StoreUnavailableError) cookies.setSync(res, cookie);
      throw error;
    }
  }

  async function validate(req: Request, res: Response<SyncOutcome>): Promise<void> {
    const { sync, username, answers: given } = parseInput(validationBody, req.body);
    const decide = async (user: User, forum: string): Promise<Decision> => {
      const checked = validateAnswers(validation.fields, given, languagesOf(req));
      if (checked.outcome === 'rejected') return checked;
      const { answers } = checked;
      const rejection = await runValidate({ user, answers, forum });
      return rejection ?? { outcome: 'accepted', accept: (accepted) => accept(answers, accepted) };
    };
    const finished = await metrics.syncs.track(() => finish(req, { sync, username, outcomes: ['accepted', 'rejected'], decide }), outcomeOf);
    await respond(req, res, finished);
  }

  async function cancel(req: Request, res: Response<SyncOutcome>): Promise<void> {
    const { sync } = parseInput(cancellationBody, req.body);
    const decide = async (): Promise<Decision> => ({ outcome: 'cancelled' });
    const finished = await metrics.syncs.track(() => finish(req, { sync, outcomes: ['cancelled'], decide }), outcomeOf);
    await respond(req, res, finished);
  }

  function finish(req: Request, request: Pick<Parameters<Syncs['finish']>[1], 'sync' | 'username' | 'outcomes' | 'decide'>): Promise<FinishedSync> {
    return syncs.finish(cookies.sync(req), {
      ...request,
      requestId: contextOf(req).id,
      exchange: (code) => service.exchangeCode(code, clientAddressHash(req)),
    });
  }

  /** Hook `validate`: before the exchange, with the claimed user. */
  async function runValidate(context: { user: User; answers: Answers; forum: string }): Promise<Decision | undefined> {
    if (!validation.validate) return undefined;
    const names = validation.fields.map(({ name }) => name);
    const result = await runHook({
      name: 'validation.validate',
      hook: validation.validate,
      context,
      result: z.union([
        z.strictObject({ ok: z.literal(true) }),
        z.strictObject({
          ok: z.literal(false),
          retry: z.literal(true),
          fields: z.record(z.string().refine((name) => names.includes(name)), z.string())
            .refine((fields) => Object.keys(fields).length > 0),
        }),
        z.strictObject({ ok: z.literal(false), retry: z.literal(false).optional(), reason: z.string().max(1_000).optional() }),
      ]),
      expected: '{ ok: true }, { ok: false, retry: true, fields } with names of the form\'s fields, or { ok: false, reason }',
      detail: 'This site could not check your answers just now. Nothing is lost: please try again.',
    });
    if (result.ok) return undefined;
    if (result.retry) throw new ProblemError('invalid-answers', { fields: result.fields });
    return { outcome: 'rejected', ...(result.reason && { reason: result.reason }) };
  }

  /** After the exchange: hook `onAccepted`, profile, session. */
  async function accept(answers: Answers, { grant, forum, sessionId }: Parameters<NonNullable<Decision['accept']>>[0]) {
    const { user, accessToken, expiresIn } = grant;
    if (validation.onAccepted) {
      await runHook({
        name: 'validation.onAccepted',
        hook: validation.onAccepted,
        context: { user, answers, forum },
        result: z.unknown(),
        expected: 'anything',
        detail: 'This site could not complete the sign-in just now. Nothing is lost: please try again.',
      });
    }
    const session = sessions.idOf(user, sessionId);
    const takeBack = await profiles.save(session, { ...user, forum, answers, accepted_at: new Date(now()).toISOString() });
    await sessions.create(session, { user, accessToken, expiresIn });
    return async () => { await Promise.all([sessions.end(session), takeBack()]); };
  }

  /** The cookie of the sign-in stays: the identical request gets the same response until it expires. The cookie of a session that
   *  has ended since is not set again: it would replace that of a newer session. The new session replaces the one that the
   *  browser had. */
  async function respond(req: Request, res: Response<SyncOutcome>, { outcome, session }: FinishedSync): Promise<void> {
    const created = session && sessions.idOf(session.user, session.id);
    if (created && await sessions.isLive(created)) {
      sessions.setCookie(res, created);
      const earlier = sessions.named(req);
      if (earlier && earlier.id !== created.id) await sessions.end(earlier).catch(() => undefined);
    }
    res.json(outcome);
  }

  async function getSession(req: Request, res: Response<SessionView>): Promise<void> {
    res.json(await viewOf(req, cookies.sync(req)));
  }

  async function viewOf(req: Request, cookie: string | undefined): Promise<SessionView> {
    const [reader, found] = await Promise.all([sessions.find(req), syncs.view(cookie)]);
    const { id, record, notice: rejection } = found ?? {};
    const offered = record && record.state !== 'done' ? record.state === 'granted' ? record.grant.user : record.user : undefined;
    const notice = rejection ?? cookies.notice(req);
    return {
      state: reader ? 'signed-in' : offered ? 'validating' : 'anonymous',
      ...(reader && { user: { user_id: reader.user.user_id, username: reader.user.username } }),
      ...(offered && record && id !== undefined && {
        sync: {
          id,
          user: { user_id: offered.user_id, username: offered.username },
          forum: record.forum,
          form: localizeForm(validation.fields, languagesOf(req)),
        },
      }),
      ...(notice && { notice }),
      limits: { message_max_length: config.messageMaxLength },
    };
  }

  /** Ends everything of this browser in the store first: after a failure the cookies still name what to end. */
  async function signOut(req: Request, res: Response): Promise<void> {
    const [sync, session] = [cookies.sync(req), sessions.named(req)];
    await Promise.all([sync !== undefined && syncs.end(sync), session && sessions.end(session)]);
    if (session) sessions.clearCookie(res);
    cookies.clear(req, res);
    res.status(204).end();
  }
}

function outcomeOf({ outcome }: FinishedSync): SyncOutcome['outcome'] {
  return outcome.outcome;
}

/** Sends the address byte for byte; `res.redirect` would encode it again. */
function redirect(res: Response, status: 302 | 303, location: string): void {
  res.status(status).setHeader('Location', location).end();
}
