/** The service's paths, requests as it received them, and the replies of its handlers. */

import type { IncomingMessage } from 'node:http';
import type { Html } from './html.ts';

/** Below `base_url`: section 4 of the interface. It has no entrance, no list of posts and no assets. */
export const paths = {
  authorize: '/api/oauth/2.0/authorize/',
  token: '/api/oauth/2.0/access_token/',
  complete: '/audiencesync/complete/',
  posts: '/api/3.0/posts/create.json',
  postList: '/api/3.0/threads/listPosts.json',
  postContext: '/api/3.0/posts/getContext.json',
  postDetails: '/api/3.0/posts/details.json',
  thread: '/api/3.0/threads/details.json',
  postUpdate: '/api/3.0/posts/update.json',
  postRemove: '/api/3.0/posts/remove.json',
  postVote: '/api/3.0/posts/vote.json',
  entrance: '/embedded/entrance',
} as const;

export type EndpointName = keyof typeof paths;

/** Kept whole, so that tests can search it for secrets. */
export interface ReceivedRequest {
  /** `undefined` for everything else: assets, unknown paths. */
  readonly endpoint: EndpointName | undefined;
  readonly method: string;
  /** Path and query as they stood in the request line. */
  readonly path: string;
  /** Every value of every header, names in lower case. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: Buffer;
}

/** Sent as it is, or altered by a fault. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Bodies above this are refused with 413. */
const MAX_BODY_BYTES = 1024 * 1024;

/** `undefined` if the body is too long. Rejects if the client disconnects before its end. */
export async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return length <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

export function queryOf({ path }: ReceivedRequest): string {
  const mark = path.indexOf('?');
  return mark < 0 ? '' : path.slice(mark + 1);
}

/** The one value of a header. `undefined` where it is absent or comes more than once. */
export function onlyHeader({ headers }: ReceivedRequest, name: string): string | undefined {
  const values = headers[name];
  return values?.length === 1 ? values[0] : undefined;
}

/** The form-encoded body of a request without a query.
 *  @throws {ParamsError} */
export function formBody(request: ReceivedRequest): string {
  const contentType = onlyHeader(request, 'content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i.test(contentType) || request.headers['content-encoding']) {
    throw new ParamsError('the body is not application/x-www-form-urlencoded');
  }
  if (queryOf(request) !== '') throw new ParamsError('the parameters belong in the body');
  return request.body.toString('latin1');
}

/** A fault of the sender. Names the parameter, never a value. */
export class ParamsError extends Error {
  override readonly name = 'ParamsError';
}

export type Pairs = readonly (readonly [string, string])[];

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes `application/x-www-form-urlencoded` text into pairs in the order sent. `+` is a space.
 *  @throws {ParamsError} on a malformed pair or escape, and on bytes that are not UTF-8 */
export function decodePairs(encoded: string): Pairs {
  if (encoded === '') return [];
  return encoded.split('&').map((pair) => {
    const equals = pair.indexOf('=');
    if (equals <= 0) throw new ParamsError('a parameter is not name=value');
    return [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))];
  });
}

function decode(text: string): string {
  if (/%(?![\dA-Fa-f]{2})/.test(text)) throw new ParamsError('a percent sign begins no escape');
  const bytes = text.replaceAll('+', ' ').replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    throw new ParamsError('a parameter is not UTF-8');
  }
}

/** The values of `names` and, where they are there, of `optional`.
 *  @throws {ParamsError} where one of `names` is missing, one comes twice, or there is another */
export function exactly<Name extends string, Optional extends string = never>(
  pairs: Pairs, names: readonly Name[], optional: readonly Optional[] = [],
): Record<Name, string> & Partial<Record<Optional, string>> {
  const found = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (![...names, ...optional].includes(name as Name)) throw new ParamsError('a parameter is not of this request');
    if (found.has(name)) throw new ParamsError('a parameter is given twice');
    found.set(name, value);
  }
  for (const name of names) if (!found.has(name)) throw new ParamsError(`${name} is missing`);
  return Object.fromEntries(found) as Record<Name, string> & Partial<Record<Optional, string>>;
}

export function jsonReply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers }, body: JSON.stringify(body) };
}

/** A page under a strict policy. `formTargets` are the origins that a form's answer may redirect to. */
export function pageReply(status: number, page: Html, formTargets: readonly string[] = []): Reply {
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; base-uri 'none'; `
        + `frame-ancestors 'none'; form-action ${["'self'", ...formTargets].join(' ')}`,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
    body: page.text,
  };
}

export function redirectReply(location: string, status: 302 | 303 = 303): Reply {
  return { status, headers: { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }, body: '' };
}
