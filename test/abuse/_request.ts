/** Serializes a request to a target, with some parts replaced. */

import { HOST, ORIGIN, PATH } from './_entrance.ts';
import type { Target } from './_targets.ts';

export interface RequestParts {
  readonly method?: string;
  /** Appended to the target's path; begins with `&`. */
  readonly query?: string;
  /** Override the target's headers. An array is sent as several lines, `undefined` removes a header. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string;
}

/** Credentials of the attacker, which is also a reader with an account. */
export interface Attacker {
  /** `Cookie` header with a live session, an unfinished sign-in and an authorization attempt. */
  readonly cookie: string;
  /** Id of the unfinished sign-in. */
  readonly sync: string;
  readonly username: string;
  /** An address that the service issued. */
  readonly audiencesync_uri: string;
}

let attacker: Attacker | undefined;

export function setAttacker(given: Attacker): void {
  attacker = given;
}

/** Asks the server to close the connection after the response, unless `headers` say otherwise. */
export function requestOf(target: Target, parts: RequestParts = {}): Buffer {
  const { method = target.method, query, body = attacker && target.body?.(attacker) } = parts;
  const isWithBody = body !== undefined;
  const headers = {
    Host: HOST,
    Connection: 'close',
    // Another method may end the session.
    ...(target.hasCookies === true && method === target.method && attacker && { Cookie: attacker.cookie }),
    ...(target.isSameOrigin === true && { 'Sec-Fetch-Site': 'same-origin' }),
    ...(method !== 'GET' && { Origin: ORIGIN }),
    ...(isWithBody && { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
    ...(target.name === 'posts' && { 'Idempotency-Key': crypto.randomUUID() }),
    ...parts.headers,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) => (
    value === undefined ? [] : [value].flat().map((line) => `${name}: ${line}`)
  ));
  const path = query === undefined ? target.path : `${target.path}${target.path.includes('?') ? '' : '?'}${query}`;
  return Buffer.from(`${method} ${target.isAtRoot === true ? '' : PATH}${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, 'latin1');
}
