/** Settings of the emulated service. */

import type { StoredPost } from './context.ts';
import type { Reader } from './grants.ts';

export interface ServiceOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Default 0: any free one. */
  readonly port?: number;
  /** A path that `base_url` carries, such as `/comments`. Default none. */
  readonly basePath?: string;
  /** `base_url` behind a proxy: its host and port are signed. Default: the address that the service listens on. */
  readonly publicUrl?: string;
  /** Default: made afresh. */
  readonly publicKey?: string;
  /** Default: made afresh. */
  readonly secretKey?: string;
  /** Default `['news']`. */
  readonly forums?: readonly string[];
  /** Exact strings; more may be added while it runs. */
  readonly redirectUris?: readonly string[];
  /** Keeps posts and access tokens over a restart. Default: nothing is kept. */
  readonly stateFile?: string;
  /** Posts at the start if no state is kept, oldest first. Default none. */
  readonly posts?: readonly StoredPost[];
  /** Who can sign in on the pages. Default: a handful of demonstration readers. */
  readonly readers?: readonly Reader[];
  /** How the pages call the publisher. */
  readonly publisherName?: string;
  /** Target of the link on the completion page. Default: no link. */
  readonly completionReturnUrl?: string;
  /** Query of `audiencesync_uri`, such as `flow=7`. Default none. */
  readonly completionQuery?: string;
  /** Beyond the interface: a post may name its `thread`, and `GET /api/3.0/posts/list.json` lists the posts of one. Default
   *  `false`: the parameter is refused and the address does not exist. */
  readonly threads?: boolean;
  /** Sent as `Cross-Origin-Opener-Policy` with the pages. Default: not sent. */
  readonly openerPolicy?: 'same-origin' | undefined;
  /** Default 600. */
  readonly codeLifetimeSeconds?: number;
  /** Default 300 (interface, section 8). */
  readonly nonceLifetimeSeconds?: number;
  /** Default 5000. */
  readonly keepAliveTimeoutMs?: number;
  /** Whether `requests` keeps every request. Default true; a load test switches it off. */
  readonly recordRequests?: boolean;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

export const demonstrationReaders: readonly Reader[] = [
  { user_id: '31007', username: 'Ada Quill' },
  { user_id: '31018', username: 'Jörg Ünterwald' },
  { user_id: '31024', username: 'Σοφία Λάσκαρη' },
  { user_id: '31035', username: 'Noor “Ink” al-Haddad' },
];
