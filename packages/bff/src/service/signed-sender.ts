/**
 * Sends signed requests (interface, section 5). Signs each attempt when it is sent. Repeats a refused request once with a
 * nonce of the service's own time if the two clocks differ: the service did not carry it out.
 */

import { createSigner, type Credentials, type SignableRequest } from '../signing/sign-request.ts';
import { normalizeParams, type Param } from '../signing/normalize-params.ts';
import type { HttpTransport, ServiceResponse } from './http-transport.ts';
import type { ServiceClock } from './service-clock.ts';
import { isAccepted, isRefusal, type SignedResponse } from './service-response.ts';

/** Value of a parameter of a signed request; sent as text. */
export type ParamValue = string | number | boolean;

/** Options of one signed request. */
export interface SignedRequestOptions {
  /** Access token of the user on whose behalf the call is made. */
  readonly accessToken?: string;
  /** Resolves with the whole JSON, such as `{ code, response, cursor }`: some services put a cursor beside `response`.
   *  Default `false`. */
  readonly envelope?: boolean;
}

/** Signed calls to any operation of the service, for hooks and for the library's host. */
export interface SignedRequests {
  /**
   * Signs and sends a request. Resolves with the JSON of the response, without the envelope
   * `{ code: 0, response }`.
   * @param path starts with `/`, relative to the service's base address; may have a query, which is sent as written unless
   *   `params` are added to it: then it is decoded and encoded again
   * @param params added to the query of a GET or HEAD, form body of any other method
   * @throws {ProblemError}
   */
  request(
    method: string,
    path: string,
    params?: Readonly<Record<string, ParamValue>>,
    options?: SignedRequestOptions,
  ): Promise<unknown>;
}

export interface UnsignedRequest {
  readonly method: string;
  /** Starts with `/`, relative to the service's base address; may have a query. */
  readonly path: string;
  /** Added to the query of a GET or HEAD, form body of any other method. */
  readonly params: readonly Param[];
  readonly accessToken?: string | undefined;
}

export interface SignedSenderDeps {
  /** The service's base address. */
  readonly baseUrl: URL;
  readonly transport: Pick<HttpTransport, 'send'>;
  readonly credentials: Omit<Credentials, 'now'>;
  readonly clock: ServiceClock;
}

export class SignedSender {
  readonly #deps: SignedSenderDeps;

  constructor(deps: SignedSenderDeps) {
    this.#deps = deps;
  }

  /** Returns a function that signs and sends the request. @throws {TypeError} if `path` leads to another host */
  prepare({ method, path, params, accessToken }: UnsignedRequest): (signal: AbortSignal) => Promise<SignedResponse> {
    const { clock } = this.#deps;
    const url = this.#urlOf(path);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    if (!hasBody && params.length > 0) url.search = normalizeParams([...url.searchParams, ...params]);
    const request: SignableRequest = { method, url, accessToken, ...(hasBody && { params }) };
    return async (signal) => {
      const { correctionMs } = clock;
      const first = await this.#send(request, correctionMs, signal);
      const alternativeMs = isRefusal(first) ? clock.alternativeTo(correctionMs) : undefined;
      if (alternativeMs === undefined) return first;
      const second = await this.#send(request, alternativeMs, signal);
      if (isAccepted(second)) clock.adopt(alternativeMs);
      if (!isRefusal(second)) return second;
      // Services refuse signatures with 401. Another status is the actual reason.
      return { ...(first.status === 401 ? second : first), isClockDisputed: true };
    };
  }

  async #send(request: SignableRequest, correctionMs: number, signal: AbortSignal): Promise<ServiceResponse> {
    const { transport, credentials, clock } = this.#deps;
    const signer = createSigner({ ...credentials, now: () => Date.now() + correctionMs });
    const { authorization, body } = signer.sign(request);
    const response = await transport.send({
      method: request.method,
      path: request.url.pathname + request.url.search,
      headers: {
        authorization,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body,
    }, signal);
    clock.observe(response);
    return response;
  }

  #urlOf(path: string): URL {
    const { baseUrl } = this.#deps;
    // Another first character could continue the host.
    if (!path.startsWith('/')) throw new TypeError('A signed request goes to the service only.');
    return new URL(baseUrl.origin + baseUrl.pathname.replace(/\/$/, '') + path);
  }
}
