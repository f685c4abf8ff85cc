/** `POST /posts`: creates a post on behalf of the reader (interface 4.1). `PATCH` and `DELETE /posts/{id}`,
 *  `PUT /posts/{id}/like`: the reader's own posts, and likes. `GET /posts`: lists the posts of a page.
 *  `GET /posts/{id}/conversation`: a conversation of them. `GET /posts/counts`: their numbers. */

/** Body of `POST /posts`. */
export interface NewPost {
  /** Short name of the forum. */
  readonly forum: string;
  /** Well-formed Unicode with a visible character. */
  readonly message: string;
  /** Absolute http(s) URL of the article, on an allowed origin; at most 2,048 characters. */
  readonly page?: string;
  /** Id of the comment that is replied to, at most 255 characters. Only where the publisher takes replies. */
  readonly parent?: string;
  /** `user_id` of the account that the box shows. If another one has signed in since, the response is `user-changed`. */
  readonly expected_user_id?: string;
}

/** The service's own record of the post; the interface guarantees no field. */
export type Post = Readonly<Record<string, unknown>>;

/** The response to `POST /posts`. */
export interface PostCreated {
  /** The service's own record of the post, any JSON object. */
  readonly post: Post;
  /** The entry as `GET /posts` shows it, or will once it is approved. Without the hook `posts.created` only the state of a post
   *  that waits for approval is known. */
  readonly listed?: (ListedPost & { readonly state: PostState }) | { readonly state: 'pending' };
}

/** `pending`: waits for approval. */
export type PostState = 'published' | 'pending';

/** A post as readers see it. Every text is plain text. */
export interface ListedPost {
  /** Id of the post. */
  readonly id: string;
  /** Id of the post that this one replies to. */
  readonly parent_id?: string | undefined;
  /** Whom this post answers: the parent's author and the first 200 code points of its text. Absent where the parent is held or
   *  removed. */
  readonly in_reply_to?: { readonly username: string; readonly message: string } | undefined;
  /** Who wrote the post. `badge`: such as "Editor". `key`: stands for the author, if the hook names a `user_id`; that of the
   *  reader's own posts is `user.key` of `SessionView`. */
  readonly author: { readonly username: string; readonly badge?: string | undefined; readonly key?: string | undefined };
  /** Text of the post; empty if it was removed. */
  readonly message: string;
  /** ISO 8601, with an offset. */
  readonly created_at: string;
  /** When its author changed the text last; ISO 8601, with an offset. */
  readonly edited_at?: string | undefined;
  /** Number of likes. */
  readonly likes?: number | undefined;
  /** An editors' pick. */
  readonly pick?: true | undefined;
  /** The post was removed or is held, and its replies stay: name and message are empty. */
  readonly removed?: true | undefined;
}

/** What readers may do with posts: each has a hook of the publisher. */
export type PostAction = 'edit' | 'remove' | 'like';

/** Body of `PATCH /posts/{id}`. */
export interface PostEdit {
  /** Short name of the forum. */
  readonly forum: string;
  /** URL of the article, as in `NewPost`. */
  readonly page: string;
  /** The new text, as in `NewPost`. */
  readonly message: string;
  /** As in `NewPost`. */
  readonly expected_user_id?: string;
}

/** Response to `PATCH /posts/{id}`. */
export interface PostEdited {
  /** The entry as `GET /posts` shows it now. */
  readonly listed: ListedPost & { readonly state: PostState };
}

/** Body of `PUT /posts/{id}/like`. */
export interface PostLike {
  /** Short name of the forum. */
  readonly forum: string;
  /** URL of the article, as in `NewPost`. */
  readonly page: string;
  /** Whether the reader likes the post from now on. */
  readonly liked: boolean;
  /** As in `NewPost`. */
  readonly expected_user_id?: string;
}

/** Response to `PUT /posts/{id}/like`. */
export interface PostLiked {
  /** The new number of likes, if the publisher knows it. */
  readonly likes?: number;
}

/** Response to `GET /posts`. */
export interface PostList {
  /** The posts, in the order of the hook `posts.list`. */
  readonly posts: readonly ListedPost[];
  /** That of the cursor, otherwise the one that was asked for, or `newest` where that is not offered. */
  readonly order?: PostOrder;
  /** The orders that readers can choose; absent where they are `newest` and `oldest`. */
  readonly orders?: readonly PostOrder[];
  /** `GET /posts/{id}/conversation` is offered. */
  readonly conversation?: true;
  /** Whether posts may have a `parent`. */
  readonly replies?: true;
  /** What readers may do with the posts: it says what is offered, not who may act. */
  readonly actions?: readonly PostAction[];
  /** Number of published posts of the article. */
  readonly total?: number;
  /** The article takes no posts: the reason, or reasons by language tag. */
  readonly closed?: string | Readonly<Record<string, string>>;
  /** `cursor` of the next request; absent on the last page of results. */
  readonly next_cursor?: string;
}

/** Order of `GET /posts`. `top`: the publisher's ranking; offered where `orders` has it. */
export type PostOrder = 'newest' | 'oldest' | 'top';

/** Response to `GET /posts/{id}/conversation`. */
export interface PostConversation {
  /** The post with what stands around it: its parents, or its root with at most 100 replies. Empty: there is no such post. */
  readonly posts: readonly ListedPost[];
}

/** Response to `GET /posts/counts`. */
export interface PostCounts {
  /** Posts of each page of the query, in turn; `null` for a page that is not allowed, and for a number that is
   *  not known. */
  readonly counts: readonly (number | null)[];
}

/** Names one intent to post: 8 to 128 visible ASCII characters, quoted or bare (draft-ietf-httpapi-idempotency-key-header). */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

/** `true` on a replayed response. */
export const IDEMPOTENCY_REPLAYED_HEADER = 'Idempotency-Replayed';
