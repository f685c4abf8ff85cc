/** `POST /posts`: the creation of a post on behalf of the reader (interface 4.1). */

export interface NewPost {
  readonly forum: string;
  /** Well-formed Unicode with something visible in it. */
  readonly message: string;
  /** Absolute http(s) URL of the article, on an allowed origin; at most 2,048 characters. */
  readonly page?: string;
}

/** The service's own record of the post; its fields are not promised by the interface. */
export type Post = Readonly<Record<string, unknown>>;

export interface PostCreated {
  readonly post: Post;
}

/** Names one intent to post: 8 to 128 visible ASCII characters, quoted or bare (draft-ietf-httpapi-idempotency-key-header). */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

/** `true` on an answer that was given before. */
export const IDEMPOTENCY_REPLAYED_HEADER = 'Idempotency-Replayed';
