/** State that the endpoints share: the settings, and the effects of earlier requests. */

import type { Grants, Reader } from './grants.ts';
import type { NonceMemory } from './nonce-memory.ts';

export interface StoredPost {
  readonly id: string;
  readonly forum: string;
  readonly message: string;
  readonly thread?: string | undefined;
  readonly user_id: string;
  readonly username: string;
  readonly nonce: string;
  /** Milliseconds since 1970 by the machine's clock. */
  readonly receivedAt: number;
  /** ISO 8601, by the service's clock. */
  readonly createdAt: string;
}

export interface Completion {
  readonly user_id: string;
  readonly access_token: string;
  readonly success: '1' | '0';
  readonly receivedAt: number;
}

export interface ServiceContext {
  /** `base_url`. */
  readonly url: URL;
  readonly publicKey: string;
  readonly secretKey: string;
  readonly forums: ReadonlySet<string>;
  readonly redirectUris: Set<string>;
  readonly readers: readonly Reader[];
  /** `user_id`s that are returned with `success=1` and no code. */
  readonly alreadyGranted: Set<string>;
  readonly publisherName: string;
  readonly completionReturnUrl: string | undefined;
  readonly completionQuery: string;
  /** Posts have threads and can be listed. */
  readonly threads: boolean;
  readonly grants: Grants;
  readonly nonces: NonceMemory;
  readonly posts: StoredPost[];
  readonly completions: Completion[];
  /** The machine's clock, milliseconds since 1970. */
  readonly now: () => number;
  /** The service's own clock, for `Date` headers and nonces. */
  readonly serviceNow: () => number;
}

/** Path of `endpoint` under the path of `base_url`. */
export function pathUnder(context: ServiceContext, endpoint: string): string {
  return `${context.url.pathname.replace(/\/$/, '')}${endpoint}`;
}
