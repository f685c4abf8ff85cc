/** The routes of a sign-in: both variants lead to a record (`record.ts`), which validation or cancellation ends. */

import * as z from 'zod';
import {
  endpoints, IDEMPOTENCY_KEY_HEADER, INSTANCE_PREFIX, type SessionUser, type SessionView, type SyncOutcome, type SyncReturn,
} from '@vestibule/shared';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Hooks } from '../hooks/hooks.ts';
import { foreignCookie, type Cookies } from '../http/cookies.ts';
import { ProblemError } from '../problem.ts';
import type { ReportFailure } from '../http/problem-response.ts';
import { contextOf } from '../http/frame.ts';
import { languageOf, languagesOf, parseIdempotencyKey, queryOf, singleValue } from '../http/request.ts';
import type { KeyedHashes } from '../lib/identifiers.ts';
import { jsonObject, parseInput, requireForum, text } from '../input.ts';
import type { Clock } from '../lib/time.ts';
import { warnEach } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { ServiceClient } from '../service/client.ts';
import { authorizeUrl, parseReturnUri, parseSyncStart, readReturn, RETURN_URI_MAX_LENGTH } from '../sync/addresses.ts';
import { shownUser, type Reader, type SessionId, type Sessions } from '../session/session.ts';
import type { Records } from '../store/records.ts';
import { ignoreUnavailableStore, StoreUnavailableError } from '../store/store.ts';
import { createAcceptance, type Browser, type Profile } from '../sync/acceptance.ts';
import { createSyncCookies } from '../sync/cookies.ts';
import { redirect, type Pages } from './pages.ts';
import { createFinish, type FinishedSync } from '../sync/finish.ts';
import { createSyncRecords, type Sync, type SyncContext, type SyncView } from '../sync/record.ts';

export interface SyncHandlersDeps {
  readonly config: Config;
  readonly records: { readonly syncs: Records<Sync>; readonly profiles: Records<Profile> };
  readonly cookies: Cookies;
  readonly sessions: Sessions;
  readonly userKeys: KeyedHashes;
  readonly pages: Pages;
  readonly service: ServiceClient;
  readonly hooks: Hooks;
  readonly metrics: Metrics;
  readonly reportFailure: ReportFailure;
  readonly log: Logger;
  readonly now: Clock;
}

const validationBody = z.strictObject({ sync: text, username: text, answers: jsonObject });
const cancellationBody = z.strictObject({ sync: text });

export function createSyncHandlers(deps: SyncHandlersDeps) {
  const { config, records, sessions, userKeys, pages, service, hooks, metrics, reportFailure, log, now } = deps;
  const { origins } = config;
  const cookies = createSyncCookies(deps.cookies, config, now);
  const acceptance = createAcceptance({ config, profiles: records.profiles, sessions, hooks, now });
  const syncs = createSyncRecords({ records: records.syncs, config, sessions, log });
  const finishing = createFinish({ syncs, config, acceptance, sessions, service, log });
  const warnOnce = warnEach(log);
  return { authorize, receiveReturn, form, start, validate, cancel, getSession, signOut };

  /** Step 1 of the standard variant. Without `Sec-Fetch-Site` the attempt is not bound: another site could plant a sign-in. */
  async function authorize(req: Request, res: Response): Promise<void> {
    const query = queryOf(req);
    const forum = requireForum(config.forums, singleValue(query, 'forum'));
    const page = singleValue(query, 'return_to');
    const returnTo = parseReturnUri(origins, page ?? `${origins[0]}/`);
    const display = singleValue(query, 'display') ?? 'popup';
    if (display !== 'popup' && display !== 'page') throw new ProblemError('invalid-request', { detail: 'display must be popup or page.' });
    if (returnTo.length > RETURN_URI_MAX_LENGTH) {
      throw new ProblemError('invalid-request', { detail: `return_to must hold at most ${RETURN_URI_MAX_LENGTH} characters.` });
    }
    const language = languageOf(query);
    const post = singleValue(query, 'post') === '1' ? true : undefined;
    const site = req.get('Sec-Fetch-Site');
    if (site === 'cross-site') {
      const more = { ...(language !== undefined && { lang: language }), ...(post && { post: '1' }) };
      return pages.sendContinue(req, res, { forum, return_to: returnTo, display, ...more });
    }
    // Another host of the same site may be a stranger's.
    const isOfPage = site === 'same-site' && origins.includes(URL.parse(req.get('Referer') ?? '')?.origin ?? '');
    if (site === 'same-origin' || isOfPage) {
      const from = display === 'page' ? { returnTo } : { returnTo: '', ...(page !== undefined && { opener: new URL(returnTo).origin }) };
      cookies.startAttempt(res, { forum, display, language, post, ...from });
    }
    redirect(res, 302, config.embeddedUrl ?? authorizeUrl(config, forum));
  }

  /** Step 3. A return without an attempt of this browser changes nothing: the page asks the reader first. */
  async function receiveReturn(req: Request, res: Response): Promise<void> {
    const returned = readReturn(queryOf(req));
    const attempt = req.method === 'GET' ? cookies.attempt(req) : undefined;
    const isFinished = req.method === 'GET' && await syncs.isFinished(cookies.sync(req), queryOf(req).get('code'));
    if (returned.kind === 'malformed' && attempt && !isFinished) throw returned.problem;
    if (returned.kind === 'malformed' || returned.kind === 'failed') reportFailure(returned.problem, req);
    // Reload or Back: the form page shows how the sign-in ended.
    if (isFinished) return toForm(res, {});
    if (!attempt || returned.kind === 'none' || returned.kind === 'malformed') return pages.sendForm(req, res);
    if (returned.kind === 'granted') {
      await begin(req, res, returned.syncReturn, { ...attempt, isBound: true }, attempt.id);
    } else {
      const { id } = contextOf(req);
      const kind = returned.kind === 'failed' ? 'declined' : returned.kind;
      metrics.syncs.count(kind);
      cookies.setNotice(res, { id, kind, ...(returned.kind === 'failed' && { instance: INSTANCE_PREFIX + id }) });
    }
    cookies.clearAttempt(res);
    if (attempt.display === 'page') return toArticle(req, res, attempt.returnTo);
    // The record of a sign-in has its language and its opener, a notice has none.
    toForm(res, returned.kind === 'granted' ? {} : attempt);
  }

  /** The policy `form-action` of the service's own page may stop a redirect to a third origin: then a page of ours navigates. */
  function toArticle(req: Request, res: Response, returnTo: string): void {
    if (new URL(returnTo).origin === new URL(config.publicUrl).origin) redirect(res, 303, returnTo);
    else pages.sendNavigation(req, res, returnTo);
  }

  function toForm(res: Response, { language, opener }: Pick<SyncContext, 'language' | 'opener'>): void {
    const members = { ...(language !== undefined && { lang: language }), ...(opener !== undefined && { opener }) };
    const search = new URLSearchParams(members);
    redirect(res, 303, `${config.publicUrl}${endpoints.syncForm.path}${search.size > 0 ? `?${search}` : ''}`);
  }

  /** Without its data while the store is away: the form requests them. */
  async function form(req: Request, res: Response): Promise<void> {
    const view = await viewOf(req).catch(ignoreUnavailableStore);
    const data = view && await sessionView(req, undefined, view).catch(ignoreUnavailableStore);
    pages.sendForm(req, res, {
      language: view?.language ?? languageOf(queryOf(req)),
      opener: view?.opener ?? queryOf(req).get('opener') ?? undefined,
      ...(data && { data: { ...(data.sync && { sync: data.sync }), limits: data.limits } }),
    });
  }

  /** Embedded variant: the reader's click hands over what the return brought. */
  async function start(req: Request, res: Response<SessionView>): Promise<void> {
    const { forum, ...syncReturn } = parseSyncStart(req.body);
    const requestKey = req.get(IDEMPOTENCY_KEY_HEADER) === undefined ? undefined : parseIdempotencyKey(req);
    const view = await begin(req, res, syncReturn, { forum: requireForum(config.forums, forum) }, requestKey);
    res.status(201).json(await sessionView(req, await sessions.find(req), view));
  }

  /** The cookie is set on a 503 too, so that the identical request resumes. */
  async function begin(
    req: Request, res: Response, returned: SyncReturn, context: SyncContext,
    requestKey: string | undefined,
  ) {
    const known = cookies.sync(req);
    const cookie = syncs.cookieFor(returned.code, known, requestKey);
    const view = await metrics.syncs.countOutcomeOf(() => syncs.start(returned, context, cookie, known), () => 'begun').catch((error: unknown) => {
      if (error instanceof StoreUnavailableError) cookies.setSync(res, cookie);
      throw error;
    });
    cookies.setSync(res, cookie);
    return view;
  }

  async function validate(req: Request, res: Response<SyncOutcome>): Promise<void> {
    const { sync, username, answers } = parseInput(validationBody, req.body);
    const given = { answers, ...browserOf(req) };
    await finish(req, res, (cookie, requestId) => finishing.validate(cookie, { sync, username, given, requestId }));
  }

  async function cancel(req: Request, res: Response<SyncOutcome>): Promise<void> {
    const { sync } = parseInput(cancellationBody, req.body);
    await finish(req, res, (cookie, requestId) => finishing.cancel(cookie, { sync, requestId }));
  }

  /** The cookie of the sign-in stays, for the identical request. */
  async function finish(
    req: Request, res: Response<SyncOutcome>, work: (cookie: string | undefined, requestId: string) => Promise<FinishedSync>,
  ): Promise<void> {
    const { outcome, created, user } = await metrics.syncs.countOutcomeOf(async () => {
      const { outcome, session, replayed } = await work(waitingOf(req), contextOf(req).id);
      const created = session && (replayed ? await sessions.liveIdOf(session) : sessions.idOf(session));
      // After a sign-out the outcome is not repeated: its address has the access token.
      if (session && !created) throw new ProblemError('no-sync-in-progress');
      return { outcome, created, user: session?.user };
    }, (finished) => finished.outcome.outcome);
    if (created && user) {
      sessions.setCookie(res, created);
      if (user.proven !== false) cookies.setKnown(res, user.user_id);
      const earlier = sessions.claimed(req);
      if (earlier && earlier.id !== created.id) await sessions.end(earlier).catch(ignoreUnavailableStore);
    }
    cookies.clearNotice(req, res);
    res.json(outcome);
  }

  /** The cookie of the waiting sign-in. @throws {ProblemError} `no-sync-in-progress` if another secret signed it */
  function waitingOf(req: Request): string | undefined {
    if (cookies.isForeignSync(req)) throw new ProblemError('no-sync-in-progress', { diagnosis: foreignCookie });
    return cookies.sync(req);
  }

  function viewOf(req: Request): Promise<SyncView> {
    if (cookies.isForeignSync(req)) warnOnce(foreignCookie, 'a sign-in of a browser cannot be read');
    return syncs.view(cookies.sync(req));
  }

  async function getSession(req: Request, res: Response<SessionView>): Promise<void> {
    const [reader, view] = await Promise.all([sessions.find(req), viewOf(req)]);
    res.json(await sessionView(req, reader, view));
  }

  async function sessionView(req: Request, reader: Reader | undefined, view: SyncView): Promise<SessionView> {
    const { sync, language } = view;
    // A sign-in that ended since would have removed the cookie.
    const notice = cookies.notice(req) ?? view.notice;
    const form = sync && await acceptance.formFor(sync.user, browserOf(req, language));
    return {
      state: reader ? 'signed-in' : sync ? 'validating' : 'anonymous',
      ...(reader && { session: sessions.publicIdOf(reader.session), user: sessionUser(reader) }),
      ...(sync && form && { sync: { ...sync, form } }),
      ...(notice && { notice }),
      limits: { message_max_length: config.messageMaxLength },
    };
  }

  function browserOf(req: Request, language?: string): Browser {
    return { languages: languagesOf(req, language), isKnown: (userId) => cookies.isKnown(req, userId) };
  }

  function sessionUser(reader: Reader): SessionUser {
    const { user_id, proven } = reader.user;
    if (proven === false) return shownUser(reader);
    return { ...shownUser(reader), key: userKeys.keyOf(user_id), ...(reader.shownName === undefined && { proven: true }) };
  }

  /** Ends everything of this browser in the store first: after a failure the cookies still name what to end. With `session` only
   *  that session and the sign-in that created it: a late repetition ends nothing that began since. */
  async function signOut(req: Request, res: Response): Promise<void> {
    const only = singleValue(queryOf(req), 'session');
    const isMeant = (session: Pick<SessionId, 'id'>): boolean => only === undefined || sessions.publicIdOf(session) === only;
    const [claimed, sync] = [sessions.claimed(req), cookies.sync(req)];
    const session = claimed && isMeant(claimed) ? claimed : undefined;
    const [hasEnded] = await Promise.all([
      sync !== undefined && syncs.end(sync, (created) => only === undefined || (created !== undefined && isMeant(created))),
      session && sessions.end(session),
    ]);
    if (session) sessions.clearCookie(res);
    if (only === undefined) cookies.clear(req, res);
    else if (hasEnded) cookies.clearSync(res);
    res.status(204).end();
  }
}
