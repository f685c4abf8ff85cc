/** `POST /posts`: creates a post on behalf of the reader (interface 4.1). `GET /posts`: lists the posts of a page. */

/** Body of `POST /posts`. */
export interface NewPost {
  /** Short name of the forum. */
  readonly forum: string;
  /** Well-formed Unicode with a visible character. */
  readonly message: string;
  /** Absolute http(s) URL of the article, on an allowed origin; at most 2,048 characters. */
  readonly page?: string;
  /** `user_id` of the account that the box shows. If another one has signed in since, the response is `user-changed`. */
  readonly expected_user_id?: string;
}

/** The service's own record of the post; the interface guarantees no field. */
export type Post = Readonly<Record<string, unknown>>;

/** The response to `POST /posts`. */
export interface PostCreated {
  /** The service's own record of the post, any JSON object. */
  readonly post: Post;
}

/** A post as readers see it. Every text is plain text. */
export interface ListedPost {
  /** Id of the post. */
  readonly id: string;
  /** Who wrote the post. */
  readonly author: { readonly username: string };
  /** Text of the post. */
  readonly message: string;
  /** ISO 8601, with an offset. */
  readonly created_at: string;
}

/** Response to `GET /posts`. */
export interface PostList {
  /** The posts, in the order of the hook `posts.list`. */
  readonly posts: readonly ListedPost[];
  /** `cursor` of the next request; absent on the last page of results. */
  readonly next_cursor?: string;
}

/** Names one intent to post: 8 to 128 visible ASCII characters, quoted or bare (draft-ietf-httpapi-idempotency-key-header). */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

/** `true` on a replayed response. */
export const IDEMPOTENCY_REPLAYED_HEADER = 'Idempotency-Replayed';
