/** `GET /embedded/entrance`: the page where the service's embedded widget signs a reader in. It replaces the authorization
 *  request (interface, section 3, the embedded implementation). The interface does not describe this page. `display=popup`
 *  marks a popup. */

import { checkClient, readDecision, readDisplay, readReader } from '../client-check.ts';
import { pathUnder, type ServiceContext } from '../context.ts';
import { choicePage } from '../pages/choice-page.ts';
import { errorPage } from '../pages/error-page.ts';
import { decodePairs, exactly, ParamsError, unique, type Pairs } from '../params.ts';
import { paths } from '../paths.ts';
import { pageReply, redirectReply, type Reply } from '../reply.ts';
import { isFormEncoded, queryOf, type ReceivedRequest } from '../request.ts';
import { acceptedUrl, errorUrl } from '../return-to-publisher.ts';

const PARAMETERS = ['client_id', 'forum_id', 'redirect_uri'] as const;

export function entrance(context: ServiceContext, request: ReceivedRequest): Reply {
  try {
    if (request.method === 'GET') return ask(context, request);
    if (request.method === 'POST' && isFormEncoded(request)) return decide(context, request);
    return pageReply(405, errorPage(context, 'This page is only for signing in.'));
  } catch (error) {
    if (error instanceof ParamsError) return pageReply(400, errorPage(context, error.message));
    throw error;
  }
}

function ask(context: ServiceContext, request: ReceivedRequest): Reply {
  const params = readParams(decodePairs(queryOf(request)), PARAMETERS);
  checkClient(context, params);
  checkForum(context, params.forum_id);
  const page = choicePage(context, {
    action: pathUnder(context, paths.entrance),
    params,
    title: 'Who is writing today?',
    explanation: `Choose your account to join the conversation at ${context.publisherName}.`,
    accept: 'Sign in',
    deny: 'Cancel',
  });
  return pageReply(200, page, [new URL(params.redirect_uri).origin]);
}

function decide(context: ServiceContext, request: ReceivedRequest): Reply {
  const params = readParams(decodePairs(request.body.toString('latin1')), [...PARAMETERS, 'reader', 'decision']);
  checkClient(context, params);
  checkForum(context, params.forum_id);
  const reader = readReader(context, params.reader);
  if (readDecision(params.decision) === 'deny') return redirectReply(errorUrl(params.redirect_uri, 'access_denied'));
  return redirectReply(acceptedUrl(context, reader, params.redirect_uri, readDisplay(params.display)));
}

/** `names`, each once, and `display` where it is given. */
function readParams<Name extends string>(pairs: Pairs, names: readonly Name[]) {
  const display = unique(pairs).get('display');
  const required = exactly(pairs.filter(([name]) => name !== 'display'), names);
  return { ...required, ...(display === undefined ? {} : { display }) } as Record<Name, string> & { readonly display?: string };
}

function checkForum(context: ServiceContext, forum: string): void {
  if (!context.forums.has(forum)) throw new ParamsError('forum_id is not known here');
}
