/** What a request brings: its query, its client, its languages, its key. */

import { isIP } from 'node:net';
import { IDEMPOTENCY_KEY_HEADER } from '@vestibule/shared';
import type { Request } from 'express';
import { ProblemError } from '../problem.ts';

/** The query string as it was sent. Express's parsers merge or nest repeated parameters. */
export function queryOf({ originalUrl }: Request): URLSearchParams {
  return new URLSearchParams(originalUrl.includes('?') ? originalUrl.slice(originalUrl.indexOf('?') + 1) : '');
}

/** @throws {ProblemError} `invalid-request` for a repeated parameter */
export function singleValue(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw new ProblemError('invalid-request', { detail: `${name} is repeated.` });
  return values[0];
}

/** Parameters by name. @param names default: all, for a query of which none may be unknown
 *  @throws {ProblemError} `invalid-request` for a repeated one */
export function valuesOf(query: URLSearchParams, names = [...query.keys()]): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(names.map((name) => [name, singleValue(query, name)]));
}

/** The client as hooks get it. The address is without the port that some proxies add. */
export function clientOf(req: Request): { readonly address: string; readonly userAgent: string } {
  return { address: clientAddress(req), userAgent: req.get('User-Agent') ?? '' };
}

/** By `trust proxy`. `unknown` and `_hidden` of RFC 7239 are no addresses. */
export function clientAddress(req: Request): string {
  const address = (req.ip ?? '').replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return isIP(address) === 0 ? req.socket.remoteAddress ?? '' : address;
}

/** BCP 47 tags, best first, at most ten: `preferred`, then those of `Accept-Language`. */
export function languagesOf(req: Request, preferred?: string): string[] {
  return [...preferred === undefined ? [] : [preferred], ...req.acceptsLanguages().filter(isLanguageTag)].slice(0, 10);
}

/** The BCP 47 tag of the query's `lang`; `undefined` where it is none. A language never refuses a request. */
export function languageOf(query: URLSearchParams): string | undefined {
  const tag = query.get('lang')?.replaceAll('_', '-');
  return tag !== undefined && isLanguageTag(tag) ? tag : undefined;
}

function isLanguageTag(tag: string): boolean {
  return /^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8}){0,4}$/.test(tag);
}

/** Of a quoted key, RFC 9651, 4.2.5: a backslash escapes a quote or itself. Two keys are joined by a comma and a space.
 *  @throws {ProblemError} `invalid-request` where it is not 8 to 128 visible ASCII characters */
export function parseIdempotencyKey(req: Request): string {
  const header = req.get(IDEMPOTENCY_KEY_HEADER);
  const key = header?.replace(/^"(.*)"$/, (_, quoted: string) => quoted.replace(/\\(["\\])/g, '$1'));
  if (key === undefined || !/^[\x21-\x7e]{8,128}$/.test(key)) {
    throw new ProblemError('invalid-request', { detail: `${IDEMPOTENCY_KEY_HEADER} must hold 8 to 128 visible ASCII characters.` });
  }
  return key;
}
