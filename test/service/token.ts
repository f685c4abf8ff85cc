/** `POST /api/oauth/2.0/access_token/` (interface 4.4): a code for an access token. Failures are those of RFC 6749, 5.2. */

import type { ServiceContext } from './context.ts';
import { decodePairs, exactly, formBody, jsonReply, ParamsError, type ReceivedRequest, type Reply } from './http.ts';

const EXPIRES_IN_SECONDS = 30 * 24 * 3600;

export function exchangeCode(context: ServiceContext, request: ReceivedRequest): Reply {
  if (request.method !== 'POST') return refuse(405, 'invalid_request', 'codes are exchanged by POST', { Allow: 'POST' });
  try {
    return exchange(context, exactly(
      decodePairs(formBody(request)), ['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'code'],
    ));
  } catch (error) {
    if (error instanceof ParamsError) return refuse(400, 'invalid_request', error.message);
    throw error;
  }
}

function exchange(
  { publicKey, secretKey, grants, realWorldShapes }: ServiceContext,
  params: Record<'grant_type' | 'client_id' | 'client_secret' | 'redirect_uri' | 'code', string>,
): Reply {
  if (params.client_id !== publicKey || params.client_secret !== secretKey) {
    return refuse(401, 'invalid_client', 'client_id and client_secret do not belong together');
  }
  if (params.grant_type !== 'audiencesync') return refuse(400, 'unsupported_grant_type', 'grant_type is not audiencesync');
  const token = grants.exchange(params.code, params.redirect_uri);
  if (!token) return refuse(400, 'invalid_grant', 'code is unknown, expired, used, or for another redirect_uri');
  const access_token = token.value;
  if (realWorldShapes.has('access-token-only')) return jsonReply(200, { access_token });
  return jsonReply(200, { access_token, ...token.reader, expires_in: EXPIRES_IN_SECONDS, token_type: 'mac' });
}

function refuse(status: number, error: string, error_description: string, headers?: Readonly<Record<string, string>>): Reply {
  return jsonReply(status, { error, error_description }, headers);
}
