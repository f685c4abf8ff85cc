/** Token exchange (interface 4.4): the request and the grant in its response. */

import type { Config } from '../config/config.ts';
import { ProblemError } from '../http/problem-error.ts';
import { isObject } from '../lib/json.ts';
import { isQuotable } from '../signing/sign-request.ts';
import type { ServiceRequest, ServiceResponse } from './http-transport.ts';
import { Redactor } from './redact.ts';
import { jsonOf, messageOf, problemOfStatus, serviceRefused, unreadable } from './service-response.ts';

export interface TokenGrant {
  /** Not empty, at most 4,096 characters that a header can hold. */
  readonly accessToken: string;
  /** Proven `user_id`; `undefined` if the response has none. */
  readonly userId: string | undefined;
  /** Proven `username`, 1 to 255 characters; `undefined` if the response has none. A malformed one is an error instead, so
   *  that `undefined` never stands for a name that the service did return. */
  readonly username: string | undefined;
}

/** The token endpoint refused the code. */
export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError';
  /** `error` of OAuth 2 (RFC 6749, 5.2), for example `invalid_client` or `invalid_grant`. */
  readonly error: unknown;

  constructor(status: number, error: unknown) {
    super(`The token endpoint refused the code with status ${status}.`);
    this.error = error;
  }
}

type TokenConfig = Pick<Config, 'publicKey' | 'secretKey' | 'redirectUri'>;

/** @param basePath path of the service's base address, without a slash at its end
 *  @param config its `redirectUri` is byte for byte that of the authorization request */
export function tokenRequest(basePath: string, { publicKey, secretKey, redirectUri }: TokenConfig, code: string): ServiceRequest {
  const body = new URLSearchParams({
    grant_type: 'audiencesync', client_id: publicKey, client_secret: secretKey, redirect_uri: redirectUri, code,
  });
  return {
    method: 'POST',
    path: `${basePath}/api/oauth/2.0/access_token/`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: body.toString(),
  };
}

/** @throws {ProblemError} `service-refused`, `service-unavailable` (certainly not exchanged), `outcome-unknown`,
 *    `bad-service-response` (also for a `username` or `user_id` that is malformed or has a secret in it) */
export function grantOf(response: ServiceResponse, code: string, secretKey: string): TokenGrant {
  const json = jsonOf(response, keepUserIdDigits);
  const members = isObject(json) ? json : {};
  const { access_token: accessToken, user_id: userId, username, error } = members;
  const redactor = new Redactor([code, secretKey, messageOf(accessToken), messageOf(members['refresh_token'])]);
  const problem = problemOfStatus(response, Boolean(error));
  if (problem) throw problem;
  if (error) {
    const message = messageOf(members['error_description']) || messageOf(error);
    throw serviceRefused(
      { status: response.status, code: redactor.redact(messageOf(error)), message: redactor.redact(message) },
      new TokenRefusedError(response.status, error),
    );
  }
  if (response.status >= 400) throw invalid('has neither a token nor an error');
  if (json === undefined) throw unreadable();
  if (typeof accessToken !== 'string' || !isQuotable(accessToken) || accessToken.length > 4096) throw invalid('has no valid access_token');
  const user = { userId: optionalText('user_id', userId), username: optionalText('username', username) };
  // Both are shown to the reader, and given to hooks.
  if ([user.userId, user.username].some((text = '') => redactor.reveals(text))) throw invalid('has a secret in its user');
  return { accessToken, ...user };
}

/** Returns a numeric `user_id` with its digits as sent: a number over 2^53 loses some. */
function keepUserIdDigits(name: string, value: unknown, { source }: { readonly source: string }): unknown {
  return name === 'user_id' && /^\d+$/.test(source) ? source : value;
}

function optionalText(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > 255 || !value.isWellFormed()) throw invalid(`has a malformed ${name}`);
  return value;
}

function invalid(fault: string): ProblemError {
  return new ProblemError('bad-service-response', { cause: new Error(`The response of the token endpoint ${fault}.`) });
}
