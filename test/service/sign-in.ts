/** The pages on which a reader signs in: `GET /api/oauth/2.0/authorize/` (interface 4.2) and, in its place for the embedded
 *  implementation, `GET /embedded/entrance`, which the interface does not describe. The reader's decision is posted to the same
 *  address, and leads back to the publisher (interface 4.3). */

import { basePathOf, type ServiceContext } from './context.ts';
import type { Display, Reader } from './grants.ts';
import {
  decodePairs, exactly, formBody, pageReply, ParamsError, paths, queryOf, redirectReply, type ReceivedRequest, type Reply,
} from './http.ts';
import { choicePage } from './pages.ts';

/** The four parameters of an accepted authorization. */
export interface ReturnParams {
  readonly code: string;
  readonly username: string;
  readonly user_id: string;
  readonly audiencesync_uri: string;
}

type ReturnRequest = Readonly<Record<'redirect_uri' | 'reader' | 'decision', string>>;

const CLIENT = ['client_id', 'forum_id', 'redirect_uri'] as const;
const DECISION = ['reader', 'decision'] as const;

export function authorize(context: ServiceContext, request: ReceivedRequest): Reply {
  const isDecided = request.method === 'POST';
  const params = exactly(paramsOf(request), [...CLIENT, 'response_type', ...isDecided ? DECISION : []]);
  checkClient(context, params);
  const error = protocolError(context, params);
  if (error !== undefined) return redirectReply(addToQuery(params.redirect_uri, { error }), isDecided ? 303 : 302);
  return isDecided ? decide(context, params) : ask(context, 'authorize', params, {
    title: `${context.publisherName} would like to know you`,
    explanation: `To comment there, let ${context.publisherName} see your name. It may ask you a few questions before you write.`,
    accept: 'Allow',
    deny: 'Deny',
  });
}

/** `display=popup` marks a popup. */
export function entrance(context: ServiceContext, request: ReceivedRequest): Reply {
  const isDecided = request.method === 'POST';
  const params = exactly(paramsOf(request), [...CLIENT, ...isDecided ? DECISION : []], ['display']);
  checkClient(context, params);
  if (!context.forums.has(params.forum_id)) throw new ParamsError('forum_id is not known here');
  const { display } = params;
  if (display !== undefined && display !== 'popup' && display !== 'page') throw new ParamsError('display is neither popup nor page');
  return isDecided ? decide(context, params, display) : ask(context, 'entrance', params, {
    title: 'Who is writing today?',
    explanation: `Choose your account to join the conversation at ${context.publisherName}.`,
    accept: 'Sign in',
    deny: 'Cancel',
  });
}

/** @param display how the completion page of this sign-in is shown */
export function issueReturn(context: ServiceContext, reader: Reader, redirectUri: string, display?: Display): ReturnParams {
  const { url, completionQuery, grants } = context;
  return {
    code: grants.issueCode(reader, redirectUri, display),
    username: reader.username,
    user_id: reader.user_id,
    audiencesync_uri: `${url}${paths.complete}${completionQuery && `?${completionQuery}`}`,
  };
}

function paramsOf(request: ReceivedRequest) {
  if (request.method !== 'GET' && request.method !== 'POST') throw new ParamsError('this page is only for reading and deciding');
  return decodePairs(request.method === 'GET' ? queryOf(request) : formBody(request));
}

/** A fault of the client or its redirect URI is shown and never redirected (RFC 6749, 4.1.2.1). */
function checkClient({ publicKey, redirectUris }: ServiceContext, params: Record<'client_id' | 'redirect_uri', string>): void {
  if (params.client_id !== publicKey) throw new ParamsError('client_id is not known here');
  if (!redirectUris.has(params.redirect_uri)) throw new ParamsError('redirect_uri is not registered');
}

/** Error that is returned to the publisher (RFC 6749, 4.1.2.1). */
function protocolError({ forums }: ServiceContext, params: Record<'response_type' | 'forum_id', string>): string | undefined {
  if (params.response_type !== 'audiencesync') return 'unsupported_response_type';
  return forums.has(params.forum_id) ? undefined : 'invalid_request';
}

function ask(
  context: ServiceContext, endpoint: 'authorize' | 'entrance', params: { readonly redirect_uri: string },
  words: { readonly title: string; readonly explanation: string; readonly accept: string; readonly deny: string },
): Reply {
  const page = choicePage(context, { ...words, action: basePathOf(context) + paths[endpoint], params: Object.entries(params) });
  return pageReply(200, page, [new URL(params.redirect_uri).origin]);
}

function decide(
  context: ServiceContext,
  { reader: userId, decision, redirect_uri }: Pick<ReturnRequest, 'redirect_uri'> & Partial<ReturnRequest>,
  display?: Display,
): Reply {
  const reader = context.readers.find(({ user_id }) => user_id === userId);
  if (!reader) throw new ParamsError('reader is not one of the choices');
  if (decision !== 'accept' && decision !== 'deny') throw new ParamsError('decision is neither accept nor deny');
  if (decision === 'deny') return redirectReply(addToQuery(redirect_uri, { error: 'access_denied' }));
  if (context.alreadyGranted.has(reader.user_id)) return redirectReply(addToQuery(redirect_uri, { success: '1' }));
  return redirectReply(addToQuery(redirect_uri, { ...issueReturn(context, reader, redirect_uri, display) }));
}

function addToQuery(uri: string, params: Record<string, string>): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(params)}`;
}
