/** Signed requests on their way (interface, section 5): signed when the bytes are about to go out, never before. One that
 *  was refused because its nonce was of another time is signed and sent again, once. */

import { Memo } from '../lib/memo.ts';
import { createSigner, type Credentials, type Signer } from '../signing/sign-request.ts';
import { normalizeParams, type Param } from '../signing/normalize-params.ts';
import type { ClockDrift } from './clock-drift.ts';
import { driftOfOutdated } from './outdated-nonce.ts';
import type { SendsRequests, ServiceAnswer } from './service-http.ts';

export interface Unsigned {
  readonly method: string;
  /** Starts with `/`; relative to the service's base address. */
  readonly path: string;
  /** In the query of a GET, in the form body of anything else. */
  readonly params: readonly Param[];
  readonly accessToken?: string | undefined;
}

export interface SignedSenderDeps {
  /** The service's base address. */
  readonly baseUrl: URL;
  readonly http: SendsRequests;
  readonly credentials: Omit<Credentials, 'now'>;
  readonly drift: ClockDrift;
}

export class SignedSender {
  readonly #baseUrl: URL;
  readonly #http: SendsRequests;
  readonly #signer: Signer;
  readonly #drift: ClockDrift;
  /** By path: integrations call a few. */
  readonly #urls = new Memo<URL>(20);

  constructor({ baseUrl, http, credentials, drift }: SignedSenderDeps) {
    this.#baseUrl = baseUrl;
    this.#http = http;
    this.#signer = createSigner({ ...credentials, now: drift.now });
    this.#drift = drift;
  }

  /** A function that signs and sends, anew each time it is called. @throws {TypeError} where the path leads elsewhere */
  prepare({ method, path, params, accessToken }: Unsigned): () => Promise<ServiceAnswer> {
    const inQuery = method === 'GET' || method === 'HEAD';
    const url = inQuery && params.length > 0 ? new URL(this.#urls.get(path, this.#urlOf)) : this.#urls.get(path, this.#urlOf);
    if (inQuery && params.length > 0) url.search = normalizeParams(params);
    const signable = { method, url, ...(!inQuery && { params }), ...(accessToken !== undefined && { accessToken }) };
    const send = () => {
      const { authorization, body } = this.#signer.sign(signable);
      const headers = {
        authorization,
        accept: 'application/json',
        ...(!inQuery && { 'content-type': 'application/x-www-form-urlencoded' }),
      };
      return this.#http.send({ method, path: url.pathname + url.search, headers, ...(body !== undefined && { body }) });
    };
    return async () => {
      const correctionMs = this.#drift.correctionMs;
      const answer = await send();
      const driftMs = driftOfOutdated(answer, correctionMs);
      if (driftMs === undefined) return answer;
      this.#drift.adopt(driftMs);
      return send();
    };
  }

  /** @throws {TypeError} */
  readonly #urlOf = (path: string): URL => {
    const url = new URL(this.#baseUrl.origin + this.#baseUrl.pathname.replace(/\/$/, '') + path);
    if (!path.startsWith('/') || url.origin !== this.#baseUrl.origin) throw new TypeError('A signed request goes to the service only.');
    return url;
  };
}
