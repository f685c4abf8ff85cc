/** Codes, the tokens that they were exchanged for, and the outcome of each sign-in. */

import { randomBytes } from 'node:crypto';

export interface Reader {
  readonly user_id: string;
  readonly username: string;
}

export type Display = 'popup' | 'page';

export interface Token {
  readonly value: string;
  readonly reader: Reader;
  readonly display: Display | undefined;
  /** `undefined` before the completion. */
  success: boolean | undefined;
  revoked: boolean;
}

interface Grant {
  readonly reader: Reader;
  readonly redirectUri: string;
  readonly display: Display | undefined;
  readonly expiresAt: number;
  token?: Token;
  spent: boolean;
}

const CODE_LIFETIME_MS = 600_000;

export class Grants {
  readonly #now: () => number;
  readonly #grants = new Map<string, Grant>();
  readonly #tokens: Map<string, Token>;

  /** @param tokens issued before a restart */
  constructor(now: () => number, tokens: readonly Token[]) {
    this.#now = now;
    this.#tokens = new Map(tokens.map((token) => [token.value, token]));
  }

  /** A code may be exchanged once, for this redirect URI, within ten minutes. */
  issueCode(reader: Reader, redirectUri: string, display: Display | undefined): string {
    const code = randomBytes(16).toString('hex');
    this.#grants.set(code, { reader, redirectUri, display, expiresAt: this.#now() + CODE_LIFETIME_MS, spent: false });
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
    if (grant.redirectUri !== redirectUri || this.#now() > grant.expiresAt) return undefined;
    const { reader, display } = grant;
    grant.token = { value: randomBytes(24).toString('hex'), reader, display, success: undefined, revoked: false };
    this.#tokens.set(grant.token.value, grant.token);
    return grant.token;
  }

  get tokens(): readonly Token[] {
    return [...this.#tokens.values()];
  }

  /** `undefined` if the token is unknown or revoked. */
  token(value: string): Token | undefined {
    const token = this.#tokens.get(value);
    return token?.revoked ? undefined : token;
  }

  revokeTokensOf(userId: string): void {
    for (const token of this.#tokens.values()) if (token.reader.user_id === userId) token.revoked = true;
  }
}
