/** The return to the publisher (interface 4.3): adds parameters to the query of the redirect URI. */

import type { ServiceContext } from './context.ts';
import { pathUnder } from './context.ts';
import type { Display, Reader } from './grants.ts';
import { paths } from './paths.ts';

/** The four parameters of an accepted authorization. */
export interface ReturnParams {
  readonly code: string;
  readonly username: string;
  readonly user_id: string;
  readonly audiencesync_uri: string;
}

/** Issues a code that can be exchanged for `redirectUri` alone. */
export function issueReturn(context: ServiceContext, reader: Reader, redirectUri: string, display?: Display): ReturnParams {
  return {
    code: context.grants.issueCode(reader, redirectUri, display),
    username: reader.username,
    user_id: reader.user_id,
    audiencesync_uri: completionUri(context),
  };
}

export function acceptedUrl(context: ServiceContext, reader: Reader, redirectUri: string, display?: Display): string {
  if (context.alreadyGranted.has(reader.user_id)) return addToQuery(redirectUri, { success: '1' });
  return addToQuery(redirectUri, { ...issueReturn(context, reader, redirectUri, display) });
}

/** `error` as in RFC 6749, 4.1.2.1. */
export function errorUrl(redirectUri: string, error: string): string {
  return addToQuery(redirectUri, { error });
}

function completionUri(context: ServiceContext): string {
  const query = context.completionQuery;
  return `${context.url.origin}${pathUnder(context, paths.complete)}${query && `?${query}`}`;
}

function addToQuery(uri: string, params: Record<string, string>): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(params).toString()}`;
}
