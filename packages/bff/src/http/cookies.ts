/** Signed cookies: `HttpOnly`, host-only, `__Host-Http-` on https. The value is `<name>.<value>`, signed by cookie-parser: it is
 *  valid under its own name only. A host application may have its own
 *  cookie-parser with other secrets. */

import type { IncomingHttpHeaders } from 'node:http';
import { unescape } from 'node:querystring';
import cookieParser from 'cookie-parser';
import type { CookieOptions, Response } from 'express';

interface Attributes {
  readonly sameSite: 'strict' | 'lax';
  readonly maxAgeMs: number;
}

/** Where cookies arrive: a request of Node.js, or a `Request` of the Fetch API. */
export interface WithCookies {
  readonly headers: IncomingHttpHeaders | { get(name: string): string | null };
}

export type Cookies = ReturnType<typeof createCookies>;

/** @param config `cookieSecrets`, newest first: the first signs, all verify */
export function createCookies(
  { cookieSecrets, publicUrl }: { readonly cookieSecrets: readonly string[]; readonly publicUrl: string },
) {
  const secure = publicUrl.startsWith('https:');
  const nameOf = (name: string): string => (secure ? `__Host-Http-${name}` : name);
  const attributesOf = (sameSite: Attributes['sameSite']): CookieOptions => ({ httpOnly: true, path: '/', sameSite, secure });
  const verified = new WeakMap<WithCookies, Map<string, string | undefined>>();
  return { read, isForeign, write, clear };

  /** The value of a cookie; `undefined` if it is missing, forged or duplicated. */
  function read(req: WithCookies, name: string): string | undefined {
    const read = verified.get(req) ?? new Map<string, string | undefined>();
    verified.set(req, read);
    if (!read.has(name)) read.set(name, verify(nameOf(name), textsOf(req).get(nameOf(name))));
    return read.get(name);
  }
  /** Whether a cookie of ours has arrived that none of the secrets signed: another process may have other ones. */
  function isForeign(req: WithCookies, name: string): boolean {
    const text = unescape(textsOf(req).get(nameOf(name)) ?? '');
    return text.startsWith(`s:${nameOf(name)}.`) && read(req, name) === undefined;
  }

  function write(res: Response, name: string, value: string, { sameSite, maxAgeMs }: Attributes): void {
    const fullName = nameOf(name);
    // `res.cookie` signs with `req.secret`, which may be a host application's.
    const req = res.req as { secret?: string | undefined };
    const { secret } = req;
    req.secret = cookieSecrets[0];
    res.cookie(fullName, `${fullName}.${value}`, { ...attributesOf(sameSite), maxAge: maxAgeMs, signed: true });
    req.secret = secret;
  }

  function clear(res: Response, name: string, sameSite: Attributes['sameSite']): void {
    res.clearCookie(nameOf(name), attributesOf(sameSite));
  }

  function verify(fullName: string, text = ''): string | undefined {
    const signed = unescape(text);
    const prefix = `${fullName}.`;
    if (!signed.startsWith(`s:${prefix}`)) return undefined;
    const value = cookieParser.signedCookie(signed, [...cookieSecrets]);
    return typeof value === 'string' ? value.slice(prefix.length) : undefined;
  }
}

/** Log fields of a cookie that `isForeign`. */
export const foreignCookie = {
  reason: 'a cookie arrived that another installation on this host name or another cookie secret signed, or one that was removed',
  setting: 'VESTIBULE_COOKIE_SECRETS: the same in every process',
};

/** Cookies by name, in the order of the header; `undefined` for a name that is duplicated: a sibling domain may have set one. */
function textsOf({ headers }: WithCookies): ReadonlyMap<string, string | undefined> {
  const header = typeof headers.get === 'function' ? headers.get('Cookie') : (headers as IncomingHttpHeaders).cookie;
  const texts = new Map<string, string | undefined>();
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals).trim();
    if (equals >= 0) texts.set(name, texts.has(name) ? undefined : pair.slice(equals + 1).trim());
  }
  return texts;
}
