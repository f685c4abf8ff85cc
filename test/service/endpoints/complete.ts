/** `GET /audiencesync/complete/` (interface 4.5): the publisher reports the outcome of a sign-in. */

import type { ServiceContext } from '../context.ts';
import { completionPage } from '../pages/completion-page.ts';
import { errorPage } from '../pages/error-page.ts';
import { decodePairs, ParamsError, unique } from '../params.ts';
import { pageReply, type Reply } from '../reply.ts';
import { queryOf, type ReceivedRequest } from '../request.ts';

const PARAMETERS = ['client_id', 'user_id', 'access_token', 'success'] as const;

export function complete(context: ServiceContext, request: ReceivedRequest): Reply {
  if (request.method !== 'GET') return pageReply(405, errorPage(context, 'This page is only for reading.'));
  try {
    return settle(context, readParams(context, request));
  } catch (error) {
    if (error instanceof ParamsError) return pageReply(400, errorPage(context, error.message));
    throw error;
  }
}

/** The four parameters and those that `audiencesync_uri` carried, each once. */
function readParams(context: ServiceContext, request: ReceivedRequest): Record<(typeof PARAMETERS)[number], string> {
  const found = unique(decodePairs(queryOf(request)));
  for (const [name, value] of decodePairs(context.completionQuery)) {
    if (found.get(name) !== value) throw new ParamsError(`${name} is not as audiencesync_uri has it`);
    found.delete(name);
  }
  if (found.size > PARAMETERS.length) throw new ParamsError('a parameter is not of this request');
  return Object.fromEntries(PARAMETERS.map((name) => {
    const value = found.get(name);
    if (value === undefined) throw new ParamsError(`${name} is missing`);
    return [name, value];
  })) as Record<(typeof PARAMETERS)[number], string>;
}

/** A second visit with the same outcome (a reload) shows the page again; another outcome is refused. */
function settle(context: ServiceContext, params: Record<(typeof PARAMETERS)[number], string>): Reply {
  const { client_id, user_id, access_token, success } = params;
  if (client_id !== context.publicKey) throw new ParamsError('client_id is not known here');
  if (success !== '1' && success !== '0') throw new ParamsError('success is neither 1 nor 0');
  const token = context.grants.token(access_token);
  if (!token || token.revoked) throw new ParamsError('access_token is not known here');
  if (token.reader.user_id !== user_id) throw new ParamsError('access_token belongs to another user');
  const succeeded = success === '1';
  if (token.success !== undefined && token.success !== succeeded) throw new ParamsError('the process was completed before, the other way');
  token.success = succeeded;
  context.completions.push({ user_id, access_token, success, receivedAt: context.now() });
  return pageReply(200, completionPage(context, token.reader, succeeded, token.display));
}
