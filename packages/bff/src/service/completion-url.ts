/** Where the reader is sent to complete the process (interface 4.5), and which `audiencesync_uri` is believed: the token
 *  goes there, and the value came through the user's own browser. */

import { ProblemError } from '../http/problem-error.ts';

/** Parses `text` once and compares scheme, host, port and path with the service's own completion endpoint.
 *  @throws {ProblemError} `untrusted-completion-uri` */
export function parseCompletionUri(serviceUrl: string, text: string): URL {
  const expected = new URL(`${serviceUrl}/audiencesync/complete/`);
  const url = URL.parse(text);
  const trusted = url !== null
    && !HAS_PARSER_BAIT.test(text)
    && url.protocol === expected.protocol
    && url.host === expected.host
    && url.pathname === expected.pathname
    && url.username === '' && url.password === '' && url.hash === '';
  if (!trusted) throw new ProblemError('untrusted-completion-uri');
  return url;
}

export interface Completion {
  readonly clientId: string;
  readonly userId: string;
  readonly accessToken: string;
  readonly success: boolean;
}

/** Adds the completion parameters to the query that the address already has; none is doubled. */
export function completionUrl(completionUri: URL, { clientId, userId, accessToken, success }: Completion): string {
  const url = new URL(completionUri);
  url.searchParams.set('client_id', clientId);
  url.searchParams.set('user_id', userId);
  url.searchParams.set('access_token', accessToken);
  url.searchParams.set('success', success ? '1' : '0');
  return url.href;
}

/** What parsers disagree on: white space, controls, invisible characters, backslashes, a fragment; before the query also
 *  an `@`, an escape or a dot segment. */
const HAS_PARSER_BAIT = /[\s\p{Cc}\p{Cf}\\#]|^[^?]*(?:[@%]|\/\.)/u;
