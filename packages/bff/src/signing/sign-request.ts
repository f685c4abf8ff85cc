/** A signed request (interface, section 5): the steps in their order. */

import { authorizationHeader } from './authorization-header.ts';
import { bodyHash } from './body-hash.ts';
import { createMac } from './mac.ts';
import { createNonce, type NonceSource } from './nonce.ts';
import { normalizeParams, type Param } from './normalized-params.ts';
import { normalizedRequestString, portOf } from './request-string.ts';
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
  /** Of the body; `undefined` where there is none (the body hash is then empty). */
  readonly params?: Iterable<Param> | undefined;
  /** Of the user on whose behalf the request is made. */
  readonly accessToken?: string | undefined;
}

/** The header and the body to send, with every step on the way. */
export interface SignedRequest {
  readonly authorization: string;
  /** The normalized parameters themselves; `undefined` where there are none. */
  readonly body: string | undefined;
  readonly nonce: string;
  readonly bodyHash: string;
  readonly requestString: string;
  readonly mac: string;
}

export interface Signer {
  /** Sign when the bytes are about to go out, and each attempt anew. @throws {SigningError} */
  sign(request: SignableRequest): SignedRequest;
}

/** A signer that holds the secret key where nothing that prints it can reach. @throws {SigningError} for an empty key */
export function createSigner({ publicKey, secretKey, ...nonceSource }: Credentials): Signer {
  if (publicKey === '') throw new SigningError('The public key must not be empty.');
  if (secretKey === '') throw new SigningError('The secret key must not be empty.');
  const computeMac = createMac(secretKey);
  return {
    sign({ method, url, params, accessToken }) {
      const body = params && normalizeParams(params);
      const hash = body === undefined ? '' : bodyHash(body);
      const nonce = createNonce(nonceSource);
      const requestString = normalizedRequestString({
        nonce, method, path: url.pathname + url.search, host: url.hostname, port: portOf(url), bodyHash: hash,
      });
      const mac = computeMac(requestString);
      const authorization = authorizationHeader({ id: publicKey, nonce, bodyHash: hash, mac, accessToken });
      return { authorization, body, nonce, bodyHash: hash, requestString, mac };
    },
  };
}

/** Signs one request; `createSigner` where there are several. */
export function signRequest(request: SignableRequest, credentials: Credentials): SignedRequest {
  return createSigner(credentials).sign(request);
}
