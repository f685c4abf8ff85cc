/** A request: its context, its line of the log, and what it brings. The context is not in `res.locals`, which a host application
 *  shares. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { finished } from 'node:stream';
import { IDEMPOTENCY_KEY_HEADER, type ProblemType } from '@vestibule/shared';
import type { Request } from 'express';
import type { Logger } from 'pino';
import { ProblemError } from '../problem.ts';
import { unknownRoute, type Route } from './routes.ts';

interface RequestContext {
  readonly id: string;
  readonly route: Route;
  problem?: ProblemType;
  /** Stands for the user whose session cookie arrived. */
  logId?: string | undefined;
}

const contexts = new WeakMap<IncomingMessage, RequestContext>();

/** The context of a request; in other routes of a host application, a temporary one with an empty id. */
export function contextOf(req: IncomingMessage): RequestContext {
  return contexts.get(req) ?? { id: '', route: unknownRoute };
}

export interface EndedRequest {
  readonly route: Route;
  readonly method: string;
  /** `aborted`: the client disconnected before the response was complete. */
  readonly status: string;
  readonly seconds: number;
}

/** Gives each request its context; when its response ends, observes it and writes its line of the log. */
export function requestLog(log: Logger, observe: (ended: EndedRequest) => void) {
  return (req: IncomingMessage, res: ServerResponse, route: Route): void => {
    const beganAt = performance.now();
    const context: RequestContext = { id: randomUUID(), route };
    contexts.set(req, context);
    res.setHeader('X-Request-Id', context.id);
    const method = req.method as string;
    finished(res, () => {
      const ms = performance.now() - beganAt;
      const aborted = !res.writableFinished;
      const { id, problem, logId } = context;
      observe({ route, method, status: aborted ? 'aborted' : String(res.statusCode), seconds: ms / 1000 });
      // An absent member would hide that of a host's `mixin`.
      log[route.isHealth ? 'debug' : 'info']({
        request_id: id,
        method,
        route: route.label,
        status: res.statusCode,
        ms: Math.round(ms * 10) / 10,
        ...(problem !== undefined && { problem }),
        ...(logId !== undefined && { user: logId }),
        ...(aborted && { aborted }),
      }, 'request');
    });
  };
}

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
