/**
 * The publisher's own code: hooks around the questions of a sign-in and around posts.
 * A hook that throws, returns another shape or exceeds `hookTimeoutMs` is an `internal-error`; the reader can retry.
 */

import type { Answers, PostOrder, Post, PostState, User } from '@vestibule/shared';
import type { LocalizedText } from '../lib/text.ts';
import type { ValidationField } from './fields.ts';

/** A user after the token exchange. */
export interface AcceptedUser extends User {
  /** `false`: the exchange returned no `user_id`, so this is the claimed user. Otherwise absent. */
  readonly proven?: false;
}

/** What every hook can use. */
export interface HookTools {
  /** Signs and sends any request to the service. */
  readonly service: SignedRequests;
  /** Aborts after `hookTimeoutMs`. Pass it on to requests of your own. */
  readonly signal: AbortSignal;
}

/** Context of every hook. */
export interface HookContext extends HookTools {
  /** Forum short name; one of `forums`. */
  readonly forum: string;
}

/** Where a request comes from, for filters of spam. Personal data: keep it no longer than you need it. */
export interface HookClient {
  /** IP address, as `trustProxy` has it. */
  readonly address: string;
  /** Header `User-Agent`; empty without one. */
  readonly userAgent: string;
}

/** Context of `validate`, which runs before the token exchange. */
export interface ValidateContext extends HookContext {
  /** The **claimed** user: the browser delivered the name and the id and can alter both. Write nothing under them. */
  readonly user: User;
  /** Answers that passed the rules of the fields. An unanswered optional field is absent. */
  readonly answers: Answers;
  /** Whether some of the questions were not asked again: their answers are those of an earlier sign-in. */
  readonly isRepeated: boolean;
}

/** Context of `onAccepted`, which runs after the token exchange. */
export interface AcceptedContext extends HookContext {
  /** The **proven** user, as the token exchange returned it; a claimed one has `proven: false`. */
  readonly user: AcceptedUser;
  /** Answers that passed the rules of the fields and `validate`. */
  readonly answers: Answers;
  /** Whether some of them are those of an earlier sign-in, as in `validate`. Then `user` is proven. */
  readonly isRepeated: boolean;
}

/** Result of `validate`. */
export type ValidationResult =
  /** Signs the reader in. */
  | { readonly ok: true }
  /** Lets the reader correct the named fields: field name to message, a text or texts by language tag. */
  | { readonly ok: false; readonly retry: true; readonly fields: Readonly<Record<string, LocalizedText>> }
  /** Ends the sign-in with `success=0`. The reader sees `reason` as plain text. */
  | { readonly ok: false; readonly retry?: false; readonly reason?: LocalizedText | undefined };

/** Hooks of a sign-in. */
export interface ValidationHooks {
  /** Checks answers. Must not write anything: its `user` is claimed, and it runs again when the reader retries. */
  readonly validate?: ((context: ValidateContext) => ValidationResult | Promise<ValidationResult>) | undefined;
  /** Stores or forwards what the reader answered. Settles before the reader is told `accepted`. May run again after a
   *  failure, so make it idempotent. */
  readonly onAccepted?: ((context: AcceptedContext) => void | Promise<void>) | undefined;
}

/** Questions of a sign-in, and hooks around them. */
export interface ValidationSettings extends ValidationHooks {
  /** `once`: in a browser that has finished a proven sign-in of the account before, only questions that are new, changed, or
   *  refused by `validate` are asked; answers that were accepted and kept count again. Everywhere else, and with `always`: all.
   *  Default: `once`. */
  readonly ask?: 'once' | 'always' | undefined;
  /** Asked in this order. Names must differ. */
  readonly fields?: ValidationField[] | undefined;
}

/** Context of `prepare`, which runs before a post is sent. */
export interface PrepareContext extends HookContext {
  /** The signed-in user. */
  readonly user: AcceptedUser;
  /** The reader's text. */
  readonly message: string;
  /** URL of the article, on an allowed origin. The browser names it. Absent when the request has none. */
  readonly page?: string | undefined;
  /** Id of the comment that the reader replies to, as the browser names it. Check that it belongs to the page. */
  readonly parent?: string | undefined;
  readonly client: HookClient;
}

/** Result of `prepare`. */
export type PrepareResult =
  /** Posts. `params` are signed and sent along with `forum` and `message`. */
  | { readonly ok: true; readonly params?: Readonly<Record<string, string | number | undefined>> | undefined }
  /** Refuses the post as `post-rejected`. The reader sees `reason` as plain text: a text, or texts by language tag. */
  | { readonly ok: false; readonly reason?: LocalizedText | undefined };

/** Context of `created`, which runs after the service has created a post. */
export interface CreatedContext extends HookContext {
  /** The service's own record. */
  readonly post: Post;
  readonly user: AcceptedUser;
  /** The reader's text, as it was sent to the service. */
  readonly message: string;
  readonly page?: string | undefined;
  readonly parent?: string | undefined;
}

/** A text, or a whole number. */
export type EntryId = string | number | bigint;

/** Author of an entry. */
export interface EntryAuthor {
  readonly username: string;
  /** Such as "Editor". */
  readonly badge?: string | null | undefined;
  /** Never sent: readers find their own entries by a keyed hash of it. */
  readonly user_id?: EntryId | null | undefined;
}

/** An entry of a list. Further members are ignored, and one that is `null` counts as absent. An entry that is not valid is left
 *  out of the list. */
export interface PostEntry {
  readonly id: EntryId;
  /** Id of the post that this one replies to. */
  readonly parent_id?: EntryId | null | undefined;
  /** Whom a reply answers: the parent's author and text, of which readers get the first 200 code points. Only where the parent is
   *  neither held nor removed. */
  readonly in_reply_to?: { readonly username: string; readonly message: string } | null | undefined;
  readonly author: EntryAuthor;
  /** Plain text. */
  readonly message: string;
  /** ISO 8601; without an offset it is UTC. A space for `T` is accepted. */
  readonly created_at: string;
  /** When its author changed the text last. */
  readonly edited_at?: string | null | undefined;
  /** Number of likes. */
  readonly likes?: number | null | undefined;
  /** An editors' pick. */
  readonly pick?: boolean | null | undefined;
  /** The post was removed or is held, and its published replies stay: name and text are not sent. */
  readonly removed?: boolean | null | undefined;
  /** `pending`: waits for approval. Lists and conversations leave it out; its author sees it. Default: `published`. */
  readonly state?: PostState | null | undefined;
}

/** Context of `list`. */
export interface ListContext extends HookContext {
  /** URL of the article, on an allowed origin. */
  readonly page: string;
  /** One of `posts.orders`. */
  readonly order: PostOrder;
  /** `nextCursor` of the previous page of results, which had the same order; absent for the first. */
  readonly cursor?: string | undefined;
}

/** Result of `list`. */
export interface ListResult {
  readonly posts: readonly PostEntry[];
  /** Number of published posts of the article. */
  readonly total?: number | null | undefined;
  /** The article takes no posts: the reason, or reasons by language tag. */
  readonly closed?: LocalizedText | null | undefined;
  /** Opaque; absent on the last page of results. Let it carry the sort key of the last post: an id may be removed. */
  readonly nextCursor?: string | null | undefined;
}

/** Context of `conversation`. */
export interface ConversationContext extends HookContext {
  /** Id of a comment, as the browser names it. Check that it belongs to the page and is published, or is shown as removed. */
  readonly id: string;
  /** URL of the article, on an allowed origin. */
  readonly page: string;
}

/** Result of `conversation`. */
export interface ConversationResult {
  /** The comment `id` with its parents, or with its root and at most 100 replies. Empty: there is no such comment. */
  readonly posts: readonly PostEntry[];
}

/** Context of `count`. */
export interface CountContext extends HookContext {
  /** URLs of articles, on allowed origins. */
  readonly pages: readonly string[];
}

/** Context of the hooks of the reader's own posts. The BFF does not know whose post `id` is: let the service check it, by a call
 *  `asReader`, or check it yourself. A user who is not proven does not get here. */
export interface ActionContext extends HookContext {
  /** Id of the entry, as the browser names it. */
  readonly id: string;
  readonly user: AcceptedUser;
  /** URL of the article, on an allowed origin. The browser names it. */
  readonly page: string;
  readonly client: HookClient;
}

/** Refusal of an action. */
export type ActionRefusal =
  /** The reader sees `reason` as plain text: a text, or texts by language tag. */
  | { readonly ok: false; readonly gone?: false; readonly reason?: LocalizedText | undefined }
  /** The post is no longer there. */
  | { readonly ok: false; readonly gone: true };

/** Result of `edit`: the entry as the list has it now. */
export type EditResult = { readonly ok: true; readonly post: PostEntry } | ActionRefusal;

/** Result of `remove`. */
export type RemoveResult = { readonly ok: true } | ActionRefusal;

/** Result of `like`: the new number of likes, if it is known. */
export type LikeResult = { readonly ok: true; readonly likes?: number | null | undefined } | ActionRefusal;

/** Hooks of posts. */
export interface PostHooks {
  /** Adds signed parameters to a post, or refuses it. */
  readonly prepare?: ((context: PrepareContext) => PrepareResult | Promise<PrepareResult>) | undefined;
  /** Returns the entry of a new post. A failure costs only that. May run again for the same post. */
  readonly created?: ((context: CreatedContext) => PostEntry | undefined | Promise<PostEntry | undefined>) | undefined;
  /** Returns the posts of an article for `GET /posts`. The result is public and cached for 15 s. */
  readonly list?: ((context: ListContext) => ListResult | Promise<ListResult>) | undefined;
  /** Returns the conversation of a comment for `GET /posts/{id}/conversation`. The result is public and cached for 15 s. */
  readonly conversation?: ((context: ConversationContext) => ConversationResult | Promise<ConversationResult>) | undefined;
  /** Changes the text of the reader's own post. A request is repeated after a lost answer, so make it idempotent. */
  readonly edit?: ((context: ActionContext & { readonly message: string }) => EditResult | Promise<EditResult>) | undefined;
  /** Removes the reader's own post; idempotent too. */
  readonly remove?: ((context: ActionContext) => RemoveResult | Promise<RemoveResult>) | undefined;
  /** Sets whether the reader likes a post; idempotent too. */
  readonly like?: ((context: ActionContext & { readonly liked: boolean }) => LikeResult | Promise<LikeResult>) | undefined;
  /** Returns the number of posts of each page; `null`: unknown. The result is public and cached for 60 s. */
  readonly count?: ((context: CountContext) => readonly (number | null)[] | Promise<readonly (number | null)[]>) | undefined;
}

/** Hooks around posts, whether readers may reply, and the orders of lists. */
export interface PostSettings extends PostHooks {
  /** Whether readers may reply to comments; `prepare` gets the `parent`. Default: `false`. */
  readonly replies?: boolean | undefined;
  /** Orders that `list` can give, `newest` among them. Default: `newest` and `oldest`. */
  readonly orders?: PostOrder[] | undefined;
}

/** Value of a parameter of a signed request; sent as text. */
export type ParamValue = string | number | boolean;

/** Options of one signed request. */
export interface SignedRequestOptions {
  /** On behalf of the reader for whom the hook runs: in `onAccepted`, `prepare`, `created`, `edit`, `remove` and `like`. A token
   *  that the service refuses ends the session, in `onAccepted` the sign-in. Elsewhere a `TypeError`. */
  readonly asReader?: boolean;
  /** Resolves with the whole JSON, such as `{ code, response, cursor }`: some services put a cursor beside `response`.
   *  Default `false`. */
  readonly envelope?: boolean;
}

/** Signed calls to any operation of the service, for hooks and for the library's host. */
export interface SignedRequests {
  /**
   * Signs and sends a request. Resolves with the JSON of the response, without the envelope `{ code: 0, response }`;
   * `undefined` for an empty response.
   * @param path starts with `/`, relative to the service's base address; may have a query, which is sent as written unless
   *   `params` are added to it: then it is decoded and encoded again
   * @param params added to the query of a GET or HEAD, form body of any other method; one that is `undefined` is left out
   * @throws {ProblemError}
   */
  request(
    method: string,
    path: string,
    params?: Readonly<Record<string, ParamValue | undefined>>,
    options?: SignedRequestOptions,
  ): Promise<unknown>;
}
