/** URLs of a sign-in: the authorization request (interface 4.2) and the completion (interface 4.5). The latter carries the access
 *  token and comes through the reader's browser: only the service's own completion endpoint is accepted. */

import { ProblemError } from '../problem.ts';
import { percentEncode } from '../signing/sign-request.ts';

export function authorizeUrl(config: Readonly<Record<'serviceUrl' | 'publicKey' | 'redirectUri', string>>, forum: string): string {
  const { serviceUrl, publicKey: client_id, redirectUri: redirect_uri } = config;
  const query = new URLSearchParams({ client_id, response_type: 'audiencesync', forum_id: forum, redirect_uri });
  return `${serviceUrl}/api/oauth/2.0/authorize/?${query.toString()}`;
}

/** What no URI has (RFC 3986), such as white space, controls and backslashes, on which URL parsers disagree; and a fragment. */
const AMBIGUOUS = /[^\x21-\x7e]|[\\#]/;

/** ASCII host and port, without user info and escapes. */
const PLAIN_ORIGIN = /^https?:\/\/[\w.:[\]-]+$/i;

/** Returns `text` unchanged if it is the completion endpoint, its path byte for byte, with or without a query.
 *  @throws {ProblemError} `untrusted-completion-uri` */
export function parseCompletionUri(serviceUrl: string, text: string): string {
  const expected = new URL(`${serviceUrl}/audiencesync/complete/`);
  const [address = ''] = text.split('?', 1);
  const origin = address.slice(0, -expected.pathname.length);
  const isTrusted = !AMBIGUOUS.test(text)
    && PLAIN_ORIGIN.test(origin)
    && URL.parse(origin)?.origin === expected.origin
    && address.endsWith(expected.pathname);
  if (!isTrusted) throw new ProblemError('untrusted-completion-uri');
  return text;
}

type CompletionParameter = 'client_id' | 'user_id' | 'access_token' | 'success';

/** Appends the completion parameters. Removes earlier ones of the same names and keeps the rest of the query byte for byte.
 *  @param completionUri accepted by `parseCompletionUri` */
export function completionUrl(completionUri: string, params: Readonly<Record<CompletionParameter, string>>): string {
  const [address = '', ...query] = completionUri.split('?');
  const kept = query.join('?').split('&').filter((pair) => !Object.keys(params).some((name) => new URLSearchParams(pair).has(name)));
  const added = Object.entries(params).map(([name, value]) => `${name}=${percentEncode(value)}`);
  return `${address}?${[...(kept.join('&') === '' ? [] : kept), ...added].join('&')}`;
}
