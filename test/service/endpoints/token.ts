/** `POST /api/oauth/2.0/access_token/` (interface 4.4): a code for an access token. Failures are those of RFC 6749, 5.2. */

import type { ServiceContext } from '../context.ts';
import { decodePairs, exactly, ParamsError } from '../params.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { isFormEncoded, queryOf, type ReceivedRequest } from '../request.ts';

const TOKEN_LIFETIME_SECONDS = 30 * 24 * 3600;

const PARAMETERS = ['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'code'] as const;

export function exchangeCode(context: ServiceContext, request: ReceivedRequest): Reply {
  if (request.method !== 'POST') {
    const reply = refuse(405, 'invalid_request', 'codes are exchanged by POST');
    return { ...reply, headers: { ...reply.headers, Allow: 'POST' } };
  }
  if (!isFormEncoded(request)) return refuse(400, 'invalid_request', 'the body is not application/x-www-form-urlencoded');
  if (queryOf(request) !== '') return refuse(400, 'invalid_request', 'the parameters belong in the body');
  try {
    return answer(context, exactly(decodePairs(request.body.toString('latin1')), PARAMETERS));
  } catch (error) {
    if (error instanceof ParamsError) return refuse(400, 'invalid_request', error.message);
    throw error;
  }
}

function answer(context: ServiceContext, params: Record<(typeof PARAMETERS)[number], string>): Reply {
  if (params.client_id !== context.publicKey || params.client_secret !== context.secretKey) {
    return refuse(401, 'invalid_client', 'client_id and client_secret do not belong together');
  }
  if (params.grant_type !== 'audiencesync') return refuse(400, 'unsupported_grant_type', 'grant_type is not audiencesync');
  const token = context.grants.exchange(params.code, params.redirect_uri);
  if (!token) return refuse(400, 'invalid_grant', 'code is unknown, expired, used, or for another redirect_uri');
  return jsonReply(200, {
    access_token: token.value,
    user_id: token.reader.user_id,
    username: token.reader.username,
    expires_in: TOKEN_LIFETIME_SECONDS,
    token_type: 'mac',
  });
}

function refuse(status: number, error: string, error_description: string): Reply {
  return jsonReply(status, { error, error_description });
}
