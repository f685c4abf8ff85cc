/** The exchange of the code for an access token (interface 4.4). */

import { ProblemError } from '../http/problem-error.ts';
import { isObject } from '../lib/is-object.ts';
import { jsonIfAny, jsonOf, problemOfFailure, problemOfStatus, serviceRefused } from './service-answer.ts';
import type { SendsRequests, ServiceAnswer } from './service-http.ts';

export interface TokenRequest {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Byte for byte as in the authorize step. */
  readonly redirectUri: string;
  readonly code: string;
}

export interface TokenGrant {
  readonly accessToken: string;
  readonly userId: string;
  readonly username: string | undefined;
}

/** The token endpoint said no, and which `error` of OAuth 2 (RFC 6749, 5.2) it gave: `invalid_client`, `invalid_grant`. */
export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError';
  readonly error: unknown;

  constructor(status: number, error: unknown) {
    super(`The token endpoint refused the code with status ${status}.`);
    this.error = error;
  }
}

/** @throws {ProblemError} `service-refused`, `service-unavailable` (surely not exchanged), `outcome-unknown`,
 *    `bad-service-response` */
export async function exchangeCode(http: SendsRequests, basePath: string, request: TokenRequest): Promise<TokenGrant> {
  const body = new URLSearchParams({
    grant_type: 'audiencesync',
    client_id: request.clientId,
    client_secret: request.clientSecret,
    redirect_uri: request.redirectUri,
    code: request.code,
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const answer = await http.send({ method: 'POST', path: `${basePath}/api/oauth/2.0/access_token/`, headers, body })
    .catch((error: unknown) => { throw problemOfFailure(error); });
  return grantOf(answer);
}

function grantOf(answer: ServiceAnswer): TokenGrant {
  const refusal = jsonIfAny(answer);
  if (isObject(refusal) && refusal['error'] !== undefined) {
    const cause = new TokenRefusedError(answer.status, refusal['error']);
    throw serviceRefused(refusal['error_description'] ?? refusal['error'], cause);
  }
  const problem = problemOfStatus(answer);
  if (problem) throw problem;
  const grant = jsonOf(answer);
  if (answer.status >= 400 || !isObject(grant)) throw new ProblemError('bad-service-response');
  const { access_token: accessToken, user_id: userId, username } = grant;
  if (!isToken(accessToken) || !isUserId(userId)) throw new ProblemError('bad-service-response');
  return { accessToken, userId: String(userId), username: isUsername(username) ? username : undefined };
}

/** What can stand in the quotes of the Authorization header. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 4096 && /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/.test(value);
}

function isUserId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '' && value.length <= 255) || Number.isSafeInteger(value);
}

function isUsername(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 255 && value.isWellFormed();
}
