/** `GET /api/oauth/2.0/authorize/` (interface 4.2) and the reader's decision, which its page posts to the same address. */

import { checkClient, readDecision, readReader } from '../client-check.ts';
import { pathUnder, type ServiceContext } from '../context.ts';
import { choicePage } from '../pages/choice-page.ts';
import { errorPage } from '../pages/error-page.ts';
import { decodePairs, exactly, ParamsError } from '../params.ts';
import { paths } from '../paths.ts';
import { pageReply, redirectReply, type Reply } from '../reply.ts';
import { isFormEncoded, queryOf, type ReceivedRequest } from '../request.ts';
import { acceptedUrl, errorUrl } from '../return-to-publisher.ts';

const PARAMETERS = ['client_id', 'response_type', 'forum_id', 'redirect_uri'] as const;

type AuthorizeParams = Record<(typeof PARAMETERS)[number], string>;

export function authorize(context: ServiceContext, request: ReceivedRequest): Reply {
  try {
    if (request.method === 'GET') return ask(context, exactly(decodePairs(queryOf(request)), PARAMETERS));
    if (request.method === 'POST' && isFormEncoded(request)) return decide(context, request);
    return pageReply(405, errorPage(context, 'This page is only for reading and deciding.'));
  } catch (error) {
    if (error instanceof ParamsError) return pageReply(400, errorPage(context, error.message));
    throw error;
  }
}

function ask(context: ServiceContext, params: AuthorizeParams): Reply {
  checkClient(context, params);
  const error = protocolError(context, params);
  if (error !== undefined) return redirectReply(errorUrl(params.redirect_uri, error), 302);
  const page = choicePage(context, {
    action: pathUnder(context, paths.authorize),
    params,
    title: `${context.publisherName} would like to know you`,
    explanation: `To comment there, let ${context.publisherName} see your name. It may ask you a few questions before you write.`,
    accept: 'Allow',
    deny: 'Deny',
  });
  return pageReply(200, page, [new URL(params.redirect_uri).origin]);
}

function decide(context: ServiceContext, request: ReceivedRequest): Reply {
  const params = exactly(decodePairs(request.body.toString('latin1')), [...PARAMETERS, 'reader', 'decision']);
  checkClient(context, params);
  const error = protocolError(context, params);
  if (error !== undefined) return redirectReply(errorUrl(params.redirect_uri, error));
  const reader = readReader(context, params.reader);
  if (readDecision(params.decision) === 'deny') return redirectReply(errorUrl(params.redirect_uri, 'access_denied'));
  return redirectReply(acceptedUrl(context, reader, params.redirect_uri));
}

/** Error that is returned to the publisher (RFC 6749, 4.1.2.1). */
function protocolError(context: ServiceContext, params: AuthorizeParams): string | undefined {
  if (params.response_type !== 'audiencesync') return 'unsupported_response_type';
  if (!context.forums.has(params.forum_id)) return 'invalid_request';
  return undefined;
}
