/** Signs a request (interface, section 5). Runs the steps in their order. */

import { createSecretKey } from 'node:crypto';
import { authorizationHeader } from './authorization-header.ts';
import { createNonce, type NonceSource } from './nonce.ts';
import { bodyHash, normalizeParams, type Param } from './normalize-params.ts';
import { computeMac, normalizedRequestString, portOf } from './request-string.ts';
import { SigningError } from './signing-error.ts';

export interface Credentials extends NonceSource {
  /** Sent as `id`. */
  readonly publicKey: string;
  /** Never sent. */
  readonly secretKey: string;
}

export interface SignableRequest {
  readonly method: string;
  readonly url: URL;
  /** Body parameters; `undefined` for a request without a body (its body hash is empty). */
  readonly params?: Iterable<Param> | undefined;
  /** Access token of the user on whose behalf the request is made. */
  readonly accessToken?: string | undefined;
}

/** Header and body to send, and the result of each step. */
export interface SignedRequest {
  readonly authorization: string;
  /** The normalized parameters; `undefined` for a request without a body. */
  readonly body: string | undefined;
  readonly nonce: string;
  readonly bodyHash: string;
  readonly requestString: string;
  readonly mac: string;
}

export interface Signer {
  /** Call it when the request is sent, anew for each attempt. @throws {SigningError} */
  sign(request: SignableRequest): SignedRequest;
}

/** Keeps the secret key in a `KeyObject`, out of reach of `inspect` and JSON. @throws {SigningError} for an empty key */
export function createSigner({ publicKey, secretKey, ...nonceSource }: Credentials): Signer {
  if (publicKey === '') throw new SigningError('The public key must not be empty.');
  if (secretKey === '') throw new SigningError('The secret key must not be empty.');
  const key = createSecretKey(secretKey, 'utf8');
  return {
    sign({ method, url, params, accessToken }) {
      const body = params && normalizeParams(params);
      const hash = body === undefined ? '' : bodyHash(body);
      const nonce = createNonce(nonceSource);
      const requestString = normalizedRequestString({
        nonce, method, path: url.pathname + url.search, host: url.hostname, port: portOf(url), bodyHash: hash,
      });
      const mac = computeMac(requestString, key);
      const authorization = authorizationHeader({ id: publicKey, nonce, bodyHash: hash, mac, accessToken });
      return { authorization, body, nonce, bodyHash: hash, requestString, mac };
    },
  };
}

/** Signs one request. Use `createSigner` for several. */
export function signRequest(request: SignableRequest, credentials: Credentials): SignedRequest {
  return createSigner(credentials).sign(request);
}
