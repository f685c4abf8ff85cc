/** `GET /audiencesync/complete/` (interface 4.5): the publisher reports the outcome of a sign-in. */

import type { ServiceContext } from './context.ts';
import { decodePairs, exactly, pageReply, ParamsError, queryOf, type Pairs, type ReceivedRequest, type Reply } from './http.ts';
import { completionPage } from './pages.ts';

export function complete(context: ServiceContext, request: ReceivedRequest): Reply {
  if (request.method !== 'GET') throw new ParamsError('this page is only for reading');
  const pairs = withoutCompletionQuery(context, decodePairs(queryOf(request)));
  const { client_id, user_id, access_token, success } = exactly(pairs, ['client_id', 'user_id', 'access_token', 'success']);
  if (client_id !== context.publicKey) throw new ParamsError('client_id is not known here');
  if (success !== '1' && success !== '0') throw new ParamsError('success is neither 1 nor 0');
  const token = context.grants.token(access_token);
  if (!token) throw new ParamsError('access_token is not known here');
  if (token.reader.user_id !== user_id) throw new ParamsError('access_token belongs to another user');
  const succeeded = success === '1';
  // A reload shows the page again.
  if (token.success === !succeeded) throw new ParamsError('the process was completed before, with the other outcome');
  token.success = succeeded;
  context.completions.push({ user_id, success });
  return pageReply(200, completionPage(context, token, succeeded));
}

/** @throws {ParamsError} unless each parameter that `audiencesync_uri` carried is there, once */
function withoutCompletionQuery({ completionQuery }: ServiceContext, pairs: Pairs): Pairs {
  return decodePairs(completionQuery).reduce((rest, [name, value]) => {
    const given = rest.filter((pair) => pair[0] === name);
    if (given.length !== 1 || given[0]?.[1] !== value) throw new ParamsError(`${name} is not as audiencesync_uri has it`);
    return rest.filter((pair) => pair[0] !== name);
  }, pairs);
}
