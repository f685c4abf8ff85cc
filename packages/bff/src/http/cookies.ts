/** The cookies of the BFF: signed by cookie-parser, `HttpOnly`, host-only, on https with a prefix that says they were
 *  set by HTTP from this very host. A cookie that arrives twice was tossed by somebody and is not believed. */

import cookieParser from 'cookie-parser';
import type { CookieOptions, Request, Response } from 'express';

export interface CookieSettings {
  /** Newest first: the first signs, all are accepted. */
  readonly cookieSecrets: readonly string[];
  /** Whether browsers reach the BFF by https. */
  readonly secure: boolean;
}

export class Cookies {
  readonly #secrets: string[];
  readonly #secure: boolean;
  /** What `read` found, by request and full name: a signature is checked once. */
  readonly #found = new WeakMap<Request, Map<string, string | undefined>>();

  constructor({ cookieSecrets, secure }: CookieSettings) {
    this.#secrets = [...cookieSecrets];
    this.#secure = secure;
  }

  /** The name as browsers see it (`__Host-Http-` on https). */
  nameOf(name: string): string {
    return this.#secure ? `__Host-Http-${name}` : name;
  }

  /** The value of the one cookie of that name with a good signature. */
  read(req: Request, name: string): string | undefined {
    const fullName = this.nameOf(name);
    const found = this.#found.get(req) ?? new Map<string, string | undefined>();
    if (!found.has(fullName)) {
      const values = allValues(req, fullName);
      found.set(fullName, values.length === 1 ? this.#verify(values[0] as string) : undefined);
      this.#found.set(req, found);
    }
    return found.get(fullName);
  }

  /** Names (without `prefix`) and values of the cookies whose name starts so. */
  readAll(req: Request, prefix: string): ReadonlyMap<string, string> {
    const full = this.nameOf(prefix);
    const found = new Map<string, string>();
    for (const [name] of pairsOf(req)) {
      const value = name.startsWith(full) ? this.read(req, prefix + name.slice(full.length)) : undefined;
      if (value !== undefined) found.set(name.slice(full.length), value);
    }
    return found;
  }

  write(res: Response, name: string, value: string, { sameSite, maxAgeMs }: { sameSite: 'strict' | 'lax'; maxAgeMs: number }): void {
    (res.req as { secret?: string | undefined }).secret = this.#secrets[0];
    res.cookie(this.nameOf(name), value, { ...this.#attributes(sameSite), maxAge: maxAgeMs, signed: true });
  }

  clear(res: Response, name: string, sameSite: 'strict' | 'lax'): void {
    res.clearCookie(this.nameOf(name), this.#attributes(sameSite));
  }

  #attributes(sameSite: 'strict' | 'lax'): CookieOptions {
    return { httpOnly: true, path: '/', sameSite, secure: this.#secure };
  }

  #verify(text: string): string | undefined {
    const value = cookieParser.signedCookie(text, this.#secrets);
    return typeof value === 'string' && value !== text ? value : undefined;
  }
}

function allValues(req: Request, name: string): string[] {
  return pairsOf(req).filter(([other]) => other === name).map(([, value]) => value);
}

/** Every pair of the `Cookie` header, in order, duplicates included (which a parsed object hides). */
function pairsOf(req: Request): (readonly [name: string, value: string])[] {
  return (req.headers.cookie ?? '').split(';').flatMap((pair) => {
    const equals = pair.indexOf('=');
    if (equals < 0) return [];
    return [[pair.slice(0, equals).trim(), decoded(pair.slice(equals + 1).trim())] as const];
  });
}

function decoded(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}
