/** The BFF as a library. */

export { createVestibule, type Edge, type Handler, type Vestibule } from './vestibule.ts';
export { ConfigError, type VestibuleConfig } from './config/config.ts';
export { defineConfig } from './config/load-config.ts';
export type { HookContext, ValidationHooks, Verdict } from './config/hooks.ts';
export { METRICS_MEDIA_TYPE } from './metrics/metrics.ts';
export type { ParamValue, SignedRequestOptions, SignedRequests } from './service/signed-requests.ts';
export type { Profile } from './sync/profiles.ts';
export { authorizationHeader, type MacAttributes } from './signing/authorization-header.ts';
export { createNonce, type NonceSource } from './signing/nonce.ts';
export { bodyHash, normalizeParams, percentEncode, type Param } from './signing/normalize-params.ts';
export { computeMac, normalizedRequestString, type RequestElements } from './signing/request-string.ts';
export { createSigner, signRequest, type Credentials, type SignableRequest, type SignedRequest, type Signer } from './signing/sign-request.ts';
export { SigningError } from './signing/signing-error.ts';
