/** Codes, the tokens that they were exchanged for, and the outcome of each sign-in. */

import { randomBytes } from 'node:crypto';

export interface Reader {
  readonly user_id: string;
  readonly username: string;
}

export type Display = 'popup' | 'page';

/** A code may be exchanged once, for the redirect URI that it was issued for, within its lifetime. */
export interface Grant {
  readonly code: string;
  readonly reader: Reader;
  readonly redirectUri: string;
  readonly display: Display | undefined;
  readonly expiresAt: number;
  token: Token | undefined;
  spent: boolean;
}

export interface Token {
  readonly value: string;
  readonly reader: Reader;
  readonly display: Display | undefined;
  /** `undefined` before the completion. */
  success: boolean | undefined;
  revoked: boolean;
}

export interface GrantsOptions {
  readonly codeLifetimeSeconds: number;
  readonly now: () => number;
  /** Tokens that were issued before. */
  readonly tokens?: readonly Token[];
}

export class Grants {
  readonly #options: GrantsOptions;
  readonly #grants = new Map<string, Grant>();
  readonly #tokens = new Map<string, Token>();

  constructor(options: GrantsOptions) {
    this.#options = options;
    for (const token of options.tokens ?? []) this.#tokens.set(token.value, token);
  }

  issueCode(reader: Reader, redirectUri: string, display?: Display): string {
    const code = randomBytes(16).toString('hex');
    const expiresAt = this.#options.now() + this.#options.codeLifetimeSeconds * 1000;
    this.#grants.set(code, { code, reader, redirectUri, display, expiresAt, token: undefined, spent: false });
    return code;
  }

  /** Spends `code`. `undefined` if it is unknown, expired, issued for another redirect URI, or spent: the token of a spent code
   *  is revoked (RFC 6749, 4.1.2). */
  exchange(code: string, redirectUri: string): Token | undefined {
    const grant = this.#grants.get(code);
    if (!grant) return undefined;
    if (grant.spent) {
      if (grant.token) grant.token.revoked = true;
      return undefined;
    }
    grant.spent = true;
    if (grant.redirectUri !== redirectUri || this.#options.now() > grant.expiresAt) return undefined;
    const value = randomBytes(24).toString('hex');
    grant.token = { value, reader: grant.reader, display: grant.display, success: undefined, revoked: false };
    this.#tokens.set(value, grant.token);
    return grant.token;
  }

  get tokens(): readonly Token[] {
    return [...this.#tokens.values()];
  }

  token(value: string): Token | undefined {
    return this.#tokens.get(value);
  }

  /** Whether posts are taken with `token`: from its exchange on, unless the process was completed with `success=0`. */
  mayPost(token: Token | undefined): token is Token {
    return token !== undefined && !token.revoked && token.success !== false;
  }

  revokeTokensOf(userId: string): void {
    for (const token of this.#tokens.values()) if (token.reader.user_id === userId) token.revoked = true;
  }
}
