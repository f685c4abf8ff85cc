/**
 * The publisher's own code: hooks around the questions of a sign-in and around posts.
 * A hook that throws, returns another shape or exceeds `hookTimeoutMs` is an `internal-error`; the reader can retry.
 */

import type { Answers, PostList, User } from '@vestibule/shared';
import type { SignedRequests } from '../service/client.ts';
import type { AcceptedUser } from '../session/session.ts';

/** Context of every hook. */
export interface HookContext {
  /** Forum short name; one of `forums`. */
  readonly forum: string;
  /** Signs and sends any request to the service. */
  readonly service: SignedRequests;
  /** Aborts after `hookTimeoutMs`. Pass it on to requests of your own. */
  readonly signal: AbortSignal;
}

/** Context of `validate`, which runs before the token exchange. */
export interface ValidateContext extends HookContext {
  /** The **claimed** user: the browser delivered the name and the id and can alter both. Write nothing under them. */
  readonly user: User;
  /** Answers that passed the rules of the fields. An unanswered optional field is absent. */
  readonly answers: Answers;
}

/** Context of `onAccepted`, which runs after the token exchange. */
export interface AcceptedContext extends HookContext {
  /** The **proven** user, as the token exchange returned it; a claimed one has `proven: false`. */
  readonly user: AcceptedUser;
  /** Answers that passed the rules of the fields and `validate`. */
  readonly answers: Answers;
}

/** Result of `validate`. */
export type ValidationResult =
  /** Signs the reader in. */
  | { readonly ok: true }
  /** Lets the reader correct the named fields: field name to message. */
  | { readonly ok: false; readonly retry: true; readonly fields: Readonly<Record<string, string>> }
  /** Ends the sign-in with `success=0`. The reader sees `reason` as plain text. */
  | { readonly ok: false; readonly retry?: false; readonly reason?: string | undefined };

/** Hooks of a sign-in. */
export interface ValidationHooks {
  /** Checks answers. Must not write anything: its `user` is claimed, and it runs again when the reader retries. */
  readonly validate?: ((context: ValidateContext) => ValidationResult | Promise<ValidationResult>) | undefined;
  /** Stores or forwards what the reader answered. Settles before the reader is told `accepted`. May run again after a
   *  failure, so make it idempotent. */
  readonly onAccepted?: ((context: AcceptedContext) => void | Promise<void>) | undefined;
}

/** Context of `prepare`, which runs before a post is sent. */
export interface PrepareContext extends HookContext {
  /** The signed-in user. */
  readonly user: AcceptedUser;
  /** The reader's text. */
  readonly message: string;
  /** URL of the article, on an allowed origin. The browser names it. Absent when the request has none. */
  readonly page?: string | undefined;
}

/** Result of `prepare`. */
export type PrepareResult =
  /** Posts. `params` are signed and sent along with `forum` and `message`. */
  | { readonly ok: true; readonly params?: Readonly<Record<string, string | undefined>> | undefined }
  /** Refuses the post as `post-rejected`. The reader sees `reason` as plain text. */
  | { readonly ok: false; readonly reason?: string | undefined };

/** Context of `list`. */
export interface ListContext extends HookContext {
  /** URL of the article, on an allowed origin. */
  readonly page: string;
  /** `nextCursor` of the previous page of results; absent for the first. */
  readonly cursor?: string | undefined;
}

/** A post as readers see it. Every text is plain text. */
export type ListedPost = PostList['posts'][number];

/** Result of `list`. */
export interface ListResult {
  readonly posts: readonly ListedPost[];
  /** Opaque; absent on the last page of results. */
  readonly nextCursor?: string | undefined;
}

/** Hooks of posts. */
export interface PostHooks {
  /** Adds signed parameters to a post, or refuses it. */
  readonly prepare?: ((context: PrepareContext) => PrepareResult | Promise<PrepareResult>) | undefined;
  /** Returns the posts of an article for `GET /posts`. The result is public and cached for 15 s. */
  readonly list?: ((context: ListContext) => ListResult | Promise<ListResult>) | undefined;
}
