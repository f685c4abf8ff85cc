/** Any signed call to the service: what the token is good for beyond posts (interface 4.4), for hooks and for the library. */

export type ParamValue = string | number | boolean;

export interface SignedRequestOptions {
  /** Of the user on whose behalf the call is made. */
  readonly accessToken?: string;
}

export interface SignedRequests {
  /** Signs and sends. `path` starts with `/` and is relative to the service's base address; `params` go into the query of
   *  a GET and into the form body of anything else. Resolves with the answer's JSON; rejects with a `ProblemError`. */
  request(
    method: string,
    path: string,
    params?: Readonly<Record<string, ParamValue>>,
    options?: SignedRequestOptions,
  ): Promise<unknown>;
}
