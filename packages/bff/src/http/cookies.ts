/** The cookies of the BFF: signed as cookie-parser has them, `HttpOnly`, host-only, on https with a prefix that says they were
 *  set by HTTP from this very host. A cookie that arrives twice was tossed by somebody and is not believed. */

import type { CookieOptions, Request, Response } from 'express';
import { createUnsign, type Unsign } from './unsign.ts';

export interface CookieSettings {
  /** Newest first: the first signs, all are accepted. */
  readonly cookieSecrets: readonly string[];
  /** Whether browsers reach the BFF by https. */
  readonly secure: boolean;
}

export class Cookies {
  readonly #newestSecret: string | undefined;
  readonly #unsigns: readonly Unsign[];
  readonly #secure: boolean;

  constructor({ cookieSecrets, secure }: CookieSettings) {
    this.#newestSecret = cookieSecrets[0];
    this.#unsigns = cookieSecrets.map(createUnsign);
    this.#secure = secure;
  }

  /** The name as browsers see it (`__Host-Http-` on https). */
  nameOf(name: string): string {
    return this.#secure ? `__Host-Http-${name}` : name;
  }

  /** Names (without `prefix`) and values of the cookies whose name starts so, with a good signature each. */
  readAll(req: Request, prefix: string): ReadonlyMap<string, string> {
    const full = this.nameOf(prefix);
    const found = new Map<string, string | undefined>();
    for (const [name, text] of pairsOf(req, full)) {
      const rest = name.slice(full.length);
      found.set(rest, found.has(rest) ? undefined : this.#verify(text));
    }
    for (const [rest, value] of found) if (value === undefined) found.delete(rest);
    return found as ReadonlyMap<string, string>;
  }

  write(res: Response, name: string, value: string, { sameSite, maxAgeMs }: { sameSite: 'strict' | 'lax'; maxAgeMs: number }): void {
    (res.req as { secret?: string | undefined }).secret = this.#newestSecret;
    res.cookie(this.nameOf(name), value, { ...this.#attributes(sameSite), maxAge: maxAgeMs, signed: true });
  }

  clear(res: Response, name: string, sameSite: 'strict' | 'lax'): void {
    res.clearCookie(this.nameOf(name), this.#attributes(sameSite));
  }

  #attributes(sameSite: 'strict' | 'lax'): CookieOptions {
    return { httpOnly: true, path: '/', sameSite, secure: this.#secure };
  }

  #verify(text: string): string | undefined {
    const signed = decoded(text);
    for (const unsign of this.#unsigns) {
      const value = unsign(signed);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

/** Every pair of the `Cookie` header whose name begins so, in order, duplicates included (which a parsed object hides). */
function pairsOf(req: Request, beginning: string): (readonly [name: string, value: string])[] {
  const { cookie } = req.headers;
  if (!cookie?.includes(beginning)) return [];
  const pairs: [string, string][] = [];
  for (const pair of cookie.split(';')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    if (name.startsWith(beginning)) pairs.push([name, pair.slice(equals + 1).trim()]);
  }
  return pairs;
}

function decoded(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}
