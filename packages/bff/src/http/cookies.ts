/**
 * Signed cookies: `HttpOnly`, host-only, `__Host-Http-` on https. The value is `<name>.<value>`, signed by cookie-parser,
 * so that a cookie is valid under its own name only. Ignores duplicate cookies: a sibling domain may have set one.
 * Reads the header itself, because a host application may have its own cookie-parser with other secrets.
 */

import type { IncomingMessage } from 'node:http';
import cookieParser from 'cookie-parser';
import type { CookieOptions, Response } from 'express';

export interface CookieSettings {
  /** Newest first: the first signs, all verify. */
  readonly cookieSecrets: readonly string[];
  /** Whether browsers reach the BFF by https. */
  readonly secure: boolean;
}

export interface WriteOptions {
  readonly sameSite: 'strict' | 'lax';
  readonly maxAgeMs: number;
}

/** How many cookies of one prefix are verified; browsers of ours hold fewer. */
const MAX_VERIFIED = 16;

export class Cookies {
  readonly #secrets: string[];
  readonly #secure: boolean;

  constructor({ cookieSecrets, secure }: CookieSettings) {
    this.#secrets = [...cookieSecrets];
    this.#secure = secure;
  }

  /** The name as browsers see it. */
  nameOf(name: string): string {
    return this.#secure ? `__Host-Http-${name}` : name;
  }

  /** The value of a cookie; `undefined` if it is missing, forged or duplicated. */
  read(req: IncomingMessage, name: string): string | undefined {
    const fullName = this.nameOf(name);
    const [text, ...duplicates] = pairsOf(req).filter((pair) => pair.name === fullName).map((pair) => pair.text);
    return text === undefined || duplicates.length > 0 ? undefined : this.#verify(fullName, text);
  }

  /** Values of the cookies whose names start with `prefix`, by the rest of the name. Verifies the first 16. */
  readAll(req: IncomingMessage, prefix: string): ReadonlyMap<string, string> {
    const fullPrefix = this.nameOf(prefix);
    const texts = new Map<string, string | undefined>();
    for (const { name, text } of pairsOf(req)) {
      if (name.startsWith(fullPrefix)) texts.set(name, texts.has(name) ? undefined : text);
    }
    const values = new Map<string, string>();
    for (const [name, text] of [...texts].slice(0, MAX_VERIFIED)) {
      const value = text === undefined ? undefined : this.#verify(name, text);
      if (value !== undefined) values.set(name.slice(fullPrefix.length), value);
    }
    return values;
  }

  write(res: Response, name: string, value: string, { sameSite, maxAgeMs }: WriteOptions): void {
    const fullName = this.nameOf(name);
    // `res.cookie` signs with `req.secret`, which may be a host application's.
    const req = res.req as { secret?: string | undefined };
    const { secret } = req;
    req.secret = this.#secrets[0];
    res.cookie(fullName, `${fullName}.${value}`, { ...this.#attributes(sameSite), maxAge: maxAgeMs, signed: true });
    req.secret = secret;
  }

  clear(res: Response, name: string, sameSite: 'strict' | 'lax'): void {
    res.clearCookie(this.nameOf(name), this.#attributes(sameSite));
  }

  #attributes(sameSite: 'strict' | 'lax'): CookieOptions {
    return { httpOnly: true, path: '/', sameSite, secure: this.#secure };
  }

  #verify(fullName: string, text: string): string | undefined {
    const signed = decoded(text);
    if (!signed.startsWith(`s:${fullName}.`)) return undefined;
    const value = cookieParser.signedCookie(signed, this.#secrets);
    return typeof value === 'string' ? value.slice(fullName.length + 1) : undefined;
  }
}

/** Every pair of the `Cookie` header in order, duplicates included. */
function pairsOf(req: IncomingMessage): { readonly name: string; readonly text: string }[] {
  return (req.headers.cookie ?? '').split(';').flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals < 0 ? [] : [{ name: pair.slice(0, equals).trim(), text: pair.slice(equals + 1).trim() }];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
