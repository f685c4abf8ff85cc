/** Requests generated from valid parts of the contract and from input that breaks parsers. A seed gives the same ones. */

import { endpoints } from '@vestibule/shared';

const paths = [...Object.values(endpoints).map(({ path }) => path), '/widget.js', '/assets/x.js', '/', '/nothing', '/session/', '/sync//return'];
const methods = ['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PUT', 'PATCH', 'TRACE', 'PROPFIND'];
const names = ['code', 'username', 'user_id', 'audiencesync_uri', 'error', 'success', 'forum', 'return_to', 'display', 'a', '__proto__', 'constructor', 'code[]', 'code[a]', ''];
const values = [
  '', 'news', 'x', '1', '0', '-1', 'null', '%', '%zz', '%00', '%0d%0aSet-Cookie:%20a=b', '%E2%80%A8', '%E2%80%AE', '%ff%fe', '%F0%9F%A6%8A', '%ED%A0%80', '<script>', '"', "'", '\\', '..', '//evil.example',
  'https://evil.example/', 'javascript:alert(1)', 'popup', 'page', 'a'.repeat(300), '[]', '{}', '\xff', '\x01',
];
const bodies = [
  '', '{}', '[]', 'null', '1', '"x"', '{', '[[[[', '{"forum":"news","message":"x"}', '{"forum":"news","message":""}', '{"forum":1,"message":[]}', '{"answers":{}}', '{"answers":{"age":30}}', '{"answers":{"age":"x"}}',
  '{"answers":null}', '{"code":"c","username":"u","user_id":"1","audiencesync_uri":"https://evil.example/"}', '{"__proto__":1}', '{"forum":"news","message":"\\ud800"}', '{"forum":"news","message":"\\u0000"}', '\xef\xbb\xbf{}', '\xff\xfe', '['.repeat(500), ' '.repeat(500),
];
const headers = [
  'Content-Type: application/json', 'Content-Type: text/plain', 'Content-Type: application/json; charset=utf-7', 'Content-Type: ;', 'Content-Encoding: gzip', 'Content-Encoding: x', 'Accept: text/html', 'Accept: image/png', 'Accept: ,,,',
  'Accept-Language: de', 'Accept-Language: %%%', 'Accept-Encoding: gzip', 'Accept-Encoding: identity;q=0', 'Origin: null', 'Origin: https://evil.example', 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site', 'Cookie: vestibule=s%3Ax.y', 'Cookie: vestibule', 'Cookie: =;;=;%',
  'Cookie: vestibule-attempt-x=s%3Ax.y', 'Cookie: vestibule=a; vestibule=b', 'Idempotency-Key: abcdefgh', 'Idempotency-Key: "', 'Idempotency-Key: x', 'X-Request-Id: \xff', 'X-Forwarded-For: evil', 'X-Forwarded-For: ::1%x', 'X-Forwarded-Host: evil', 'Range: bytes=0-', 'Range: bytes=9-1',
  'If-None-Match: *', 'If-Modified-Since: never', 'Expect: 100-continue', 'Expect: x', 'Transfer-Encoding: chunked', 'Content-Length: 5', 'Content-Length: -1', 'Content-Length: 99999999999999999999', 'Upgrade: websocket', 'Connection: upgrade', 'traceparent: 00-x-y-z', ': x', 'X', ' X: y', 'X: a\0b',
];

/** @param count how many; each ends its connection */
export function* generatedRequests(seed: number, count: number, url: string): Generator<string> {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const { origin, pathname, host } = new URL(url);
  for (let i = 0; i < count; i += 1) {
    const query = Array.from({ length: Math.floor(random() * 4) }, () => `${pick(names)}=${pick(values)}`).join('&').replaceAll(/[\s]/g, '');
    const path = `${pathname}${pick(paths)}${random() < 0.1 ? `/${pick(values)}` : ''}${query === '' ? '' : `?${query}`}`;
    const method = pick(methods);
    const body = method === 'GET' || method === 'HEAD' ? '' : pick(bodies);
    const lines = Array.from({ length: Math.floor(random() * 4) }, () => pick(headers));
    if (random() < 0.7) lines.push(`Origin: ${origin}`);
    if (random() < 0.7) lines.push('Content-Type: application/json');
    if (body !== '' && random() < 0.95) lines.push(`Content-Length: ${body.length}`);
    yield `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`;
  }
}

/** mulberry32: 32 bits of state are enough to draw from lists. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
