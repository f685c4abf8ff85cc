/** Signed cookies: `HttpOnly`, host-only, `__Host-Http-` on https. The value is `<name>.<value>`, signed by cookie-parser: it is
 *  valid under its own name only. A host application may have its own cookie-parser with other secrets. */

import type { IncomingMessage } from 'node:http';
import { unescape } from 'node:querystring';
import cookieParser from 'cookie-parser';
import type { CookieOptions, Response } from 'express';

type SameSite = 'strict' | 'lax';

export class Cookies {
  /** Newest first: the first signs, all verify. */
  readonly #secrets: string[];
  readonly #secure: boolean;

  constructor({ cookieSecrets, publicUrl }: { readonly cookieSecrets: readonly string[]; readonly publicUrl: string }) {
    this.#secrets = [...cookieSecrets];
    this.#secure = publicUrl.startsWith('https:');
  }

  /** The value of a cookie; `undefined` if it is missing, forged or duplicated. */
  read(req: IncomingMessage, name: string): string | undefined {
    const fullName = this.#nameOf(name);
    return this.#verify(fullName, this.#textsOf(req).get(fullName));
  }

  /** Values of the cookies whose names start with `prefix`. */
  readAll(req: IncomingMessage, prefix: string): readonly string[] {
    const texts = [...this.#textsOf(req)].filter(([name]) => name.startsWith(this.#nameOf(prefix)));
    return texts.map(([name, text]) => this.#verify(name, text)).filter((value) => value !== undefined);
  }

  write(res: Response, name: string, value: string, { sameSite, maxAgeMs }: { sameSite: SameSite; maxAgeMs: number }): void {
    const fullName = this.#nameOf(name);
    // `res.cookie` signs with `req.secret`, which may be a host application's.
    const req = res.req as { secret?: string | undefined };
    const { secret } = req;
    req.secret = this.#secrets[0];
    res.cookie(fullName, `${fullName}.${value}`, { ...this.#attributes(sameSite), maxAge: maxAgeMs, signed: true });
    req.secret = secret;
  }

  clear(res: Response, name: string, sameSite: SameSite): void {
    res.clearCookie(this.#nameOf(name), this.#attributes(sameSite));
  }

  #nameOf(name: string): string {
    return this.#secure ? `__Host-Http-${name}` : name;
  }

  #attributes(sameSite: SameSite): CookieOptions {
    return { httpOnly: true, path: '/', sameSite, secure: this.#secure };
  }

  #verify(fullName: string, text = ''): string | undefined {
    const signed = unescape(text);
    if (!signed.startsWith(`s:${fullName}.`)) return undefined;
    const value = cookieParser.signedCookie(signed, this.#secrets);
    return typeof value === 'string' ? value.slice(fullName.length + 1) : undefined;
  }

  /** By name, in the order of the header; `undefined` for a name that is duplicated. */
  #textsOf(req: IncomingMessage): ReadonlyMap<string, string | undefined> {
    const texts = new Map<string, string | undefined>();
    for (const pair of (req.headers.cookie ?? '').split(';')) {
      const equals = pair.indexOf('=');
      const name = pair.slice(0, equals).trim();
      if (equals >= 0) texts.set(name, texts.has(name) ? undefined : pair.slice(equals + 1).trim());
    }
    return texts;
  }
}
