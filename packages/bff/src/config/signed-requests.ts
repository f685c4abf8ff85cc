/** Signed calls to any operation of the service, as hooks and the library's host get them. */

/** Value of a parameter of a signed request; sent as text. */
export type ParamValue = string | number | boolean;

/** Options of one signed request. */
export interface SignedRequestOptions {
  /** Access token of the user on whose behalf the call is made. */
  readonly accessToken?: string;
  /** On behalf of the reader for whom the hook runs: in `onAccepted`, `prepare`, `created`, `edit`, `remove` and `like`. A token
   *  that the service refuses ends the session, in `onAccepted` the sign-in. Elsewhere a `TypeError`. */
  readonly asReader?: boolean;
  /** Resolves with the whole JSON, such as `{ code, response, cursor }`: some services put a cursor beside `response`.
   *  Default `false`. */
  readonly envelope?: boolean;
}

/** Signed calls to any operation of the service, for hooks and for the library's host. */
export interface SignedRequests {
  /**
   * Signs and sends a request. Resolves with the JSON of the response, without the envelope `{ code: 0, response }`;
   * `undefined` for an empty response.
   * @param path starts with `/`, relative to the service's base address; may have a query, which is sent as written unless
   *   `params` are added to it: then it is decoded and encoded again
   * @param params added to the query of a GET or HEAD, form body of any other method; one that is `undefined` is left out
   * @throws {ProblemError}
   */
  request(
    method: string,
    path: string,
    params?: Readonly<Record<string, ParamValue | undefined>>,
    options?: SignedRequestOptions,
  ): Promise<unknown>;
}
