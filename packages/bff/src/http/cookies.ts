/**
 * Signed cookies: `HttpOnly`, host-only, `__Host-Http-` on https. The value is `<name>.<value>`, signed by cookie-parser,
 * so that a cookie is valid under its own name only. Ignores duplicate cookies: a sibling domain may have set one.
 * Reads the header itself, because a host application may have its own cookie-parser with other secrets.
 */

import type { IncomingMessage } from 'node:http';
import cookieParser from 'cookie-parser';
import type { CookieOptions, Response } from 'express';
import type { Config } from '../config/config.ts';

export type CookieConfig = Pick<Config, 'cookieSecrets' | 'publicUrl'>;

export interface WriteOptions {
  readonly sameSite: 'strict' | 'lax';
  readonly maxAgeMs: number;
}

/** How many cookies of one prefix are verified; browsers of ours hold fewer. */
const MAX_VERIFIED = 16;

export class Cookies {
  /** Newest first: the first signs, all verify. */
  readonly #secrets: string[];
  /** Whether browsers reach the BFF by https. */
  readonly #secure: boolean;

  constructor({ cookieSecrets, publicUrl }: CookieConfig) {
    this.#secrets = [...cookieSecrets];
    this.#secure = publicUrl.startsWith('https:');
  }

  /** The name as browsers see it. */
  nameOf(name: string): string {
    return this.#secure ? `__Host-Http-${name}` : name;
  }

  /** The value of a cookie; `undefined` if it is missing, forged or duplicated. */
  read(req: IncomingMessage, name: string): string | undefined {
    const fullName = this.nameOf(name);
    return this.#verify(fullName, textsOf(req).get(fullName));
  }

  /** Values of the cookies whose names start with `prefix`, by the rest of the name. Verifies the first 16. */
  readAll(req: IncomingMessage, prefix: string): ReadonlyMap<string, string> {
    const fullPrefix = this.nameOf(prefix);
    const texts = [...textsOf(req)].filter(([name]) => name.startsWith(fullPrefix)).slice(0, MAX_VERIFIED);
    return new Map(texts.flatMap(([name, text]) => {
      const value = this.#verify(name, text);
      return value === undefined ? [] : [[name.slice(fullPrefix.length), value]];
    }));
  }

  write(res: Response, name: string, value: string, { sameSite, maxAgeMs }: WriteOptions): void {
    const fullName = this.nameOf(name);
    // `res.cookie` signs with `req.secret`, which may be a host application's.
    const req = res.req as { secret?: string | undefined };
    const { secret } = req;
    req.secret = this.#secrets[0];
    try {
      res.cookie(fullName, `${fullName}.${value}`, { ...this.#attributes(sameSite), maxAge: maxAgeMs, signed: true });
    } finally {
      req.secret = secret;
    }
  }

  clear(res: Response, name: string, sameSite: 'strict' | 'lax'): void {
    res.clearCookie(this.nameOf(name), this.#attributes(sameSite));
  }

  #attributes(sameSite: 'strict' | 'lax'): CookieOptions {
    return { httpOnly: true, path: '/', sameSite, secure: this.#secure };
  }

  #verify(fullName: string, text: string | undefined): string | undefined {
    const signed = text && decoded(text);
    if (!signed?.startsWith(`s:${fullName}.`)) return undefined;
    const value = cookieParser.signedCookie(signed, this.#secrets);
    return typeof value === 'string' ? value.slice(fullName.length + 1) : undefined;
  }
}

const parsed = new WeakMap<IncomingMessage, ReadonlyMap<string, string | undefined>>();

/** Cookies by name, in the order of the header; `undefined` for a name that is duplicated. Parsed once a request. */
function textsOf(req: IncomingMessage): ReadonlyMap<string, string | undefined> {
  const texts = parsed.get(req) ?? parse(req.headers.cookie ?? '');
  parsed.set(req, texts);
  return texts;
}

function parse(header: string): ReadonlyMap<string, string | undefined> {
  const texts = new Map<string, string | undefined>();
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0) continue;
    const name = pair.slice(0, equals).trim();
    texts.set(name, texts.has(name) ? undefined : pair.slice(equals + 1).trim());
  }
  return texts;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
