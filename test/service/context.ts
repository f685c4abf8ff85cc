/** Settings of the emulated service, and the state that its endpoints share. */

import type { Grants, Reader } from './grants.ts';
import type { ReceivedRequest } from './http.ts';
import type { NonceMemory } from './signature.ts';

export interface ServiceOptions {
  /** Default: a free one. */
  readonly port?: number;
  /** `base_url`, if it differs from the address that the service listens on; its host and port are signed. */
  readonly publicUrl?: string;
  /** A path that `base_url` carries, such as `/comments`. Default: none. */
  readonly basePath?: string;
  /** Default: random. */
  readonly publicKey?: string;
  /** Default: random. */
  readonly secretKey?: string;
  /** Default: `['news']`. */
  readonly forums?: readonly string[];
  /** Exact strings. */
  readonly redirectUris?: readonly string[];
  /** Keeps posts and access tokens over a restart. Default: nothing is kept. */
  readonly stateFile?: string;
  /** Posts at the start if no state is kept, oldest first. Default: none. */
  readonly posts?: readonly StoredPost[];
  /** The accounts on the choice page. Default: four demonstration readers. */
  readonly readers?: readonly Reader[];
  /** Name of the publisher on the pages. */
  readonly publisherName?: string;
  /** Target of the link on the completion page. Default: no link. */
  readonly completionReturnUrl?: string;
  /** Query of `audiencesync_uri`, such as `flow=7`. Default: none. */
  readonly completionQuery?: string;
  /** Beyond the interface, as the service publishes them: a post may name its `thread`, by an id or as `thread:link`, and its
   *  `parent`; `GET /api/3.0/threads/listPosts.json` lists the posts of a thread, `threads/details.json` tells their number,
   *  `posts/getContext.json` has a post with its parents, `posts/details.json` one post. `POST /api/3.0/posts/update.json`,
   *  `remove.json` and `vote.json` change a post as its author, and likes as anybody else. Default `false`: the parameters are
   *  refused and the paths do not exist. */
  readonly threads?: boolean;
  /** Shapes of responses that the interface leaves open, as integrations found them. Default: none of them. */
  readonly realWorldShapes?: readonly RealWorldShape[];
  /** Whether `requests` keeps every request. Default `true`; a load test switches it off. */
  readonly recordRequests?: boolean;
  /** Called when a response has been sent. */
  readonly onResponse?: (request: ReceivedRequest, status: number) => void;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** Every shape of real services that the emulated service can take on; each changes the response only. */
export const realWorldShapes = [
  /** `2020-10-02T06:46:21`: UTC without an offset. */
  'created-at-without-offset',
  /** `message` is HTML; `raw_message` is the text. */
  'html-message',
  /** The author is anonymous: a `name`, neither `username` nor `user_id`. */
  'author-without-username',
  /** `thread` is an id of the service, whatever the request named it. */
  'thread-id',
  /** Posts carry `isApproved`, `isSpam` and `isDeleted`, and the list has also those that readers do not see. */
  'moderation-flags',
  /** The `id` of a post is a number, on both sides of 2^53. */
  'numeric-ids',
  /** The token response has `access_token` and nothing else. */
  'access-token-only',
] as const;

export type RealWorldShape = (typeof realWorldShapes)[number];

export interface StoredPost {
  readonly id: string;
  readonly forum: string;
  message: string;
  thread?: string | undefined;
  /** Id of the post that it replies to. */
  readonly parent?: string | undefined;
  readonly user_id: string;
  readonly username: string;
  /** ISO 8601, by the service's clock. */
  readonly createdAt: string;
  /** Why readers do not see the post. Moderators change it. */
  state?: 'held' | 'spam' | 'deleted' | undefined;
  /** ISO 8601. */
  editedAt?: string | undefined;
  /** `user_id`s, each once. */
  likedBy?: readonly string[] | undefined;
  /** A pick of the moderators. */
  readonly isHighlighted?: boolean | undefined;
}

export interface Completion {
  readonly user_id: string;
  readonly success: '1' | '0';
}

type Setting = 'publicKey' | 'secretKey' | 'readers' | 'publisherName' | 'completionReturnUrl' | 'completionQuery' | 'threads';

export interface ServiceContext extends Required<Pick<ServiceOptions, Setting>> {
  /** `base_url`, without a slash at its end. */
  readonly url: string;
  readonly forums: ReadonlySet<string>;
  readonly redirectUris: ReadonlySet<string>;
  readonly realWorldShapes: ReadonlySet<RealWorldShape>;
  /** `user_id`s that are returned with `success=1` and no code, as if they had granted access on an earlier visit. */
  readonly alreadyGranted: Set<string>;
  /** `user_id`s and threads whose posts are held for moderation. */
  readonly premoderated: Set<string>;
  /** Threads that take no posts. */
  readonly closedThreads: Set<string>;
  readonly grants: Grants;
  readonly nonces: NonceMemory;
  readonly posts: StoredPost[];
  readonly completions: Completion[];
  /** The service's own clock, for `Date` headers, posts and nonces. Milliseconds since 1970. */
  readonly serviceNow: () => number;
}

/** Path of `base_url`, without a slash at its end. */
export function basePathOf({ url }: ServiceContext): string {
  return new URL(url).pathname.replace(/\/$/, '');
}
