/** Method and path of every endpoint of the BFF, relative to its public URL. The widget and the BFF both read this. */

/** Method and path of an endpoint. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{id}` stands for the id of a post, percent-encoded. */
  readonly path: string;
}

/** Every endpoint by name. */
export const endpoints = {
  /** The session of this browser: `SessionView`. */
  session: { method: 'GET', path: '/session' },
  /** Ends the session and every sign-in of this browser; with the query `session` (of `SessionView`) that session only. */
  signOut: { method: 'DELETE', path: '/session' },
  /** Starts a sign-in: query `forum`, `return_to`, `display` (`SyncDisplay`), `lang`, `post`; redirects to the service. */
  syncAuthorize: { method: 'GET', path: '/sync/authorize' },
  /** The redirect URI: the service returns readers here with a `SyncReturn` in the query. */
  syncReturn: { method: 'GET', path: '/sync/return' },
  /** The page with the validation form. */
  syncForm: { method: 'GET', path: '/sync/form' },
  /** Hands in a return: `SyncStart`, answered with `SessionView`. */
  syncStart: { method: 'POST', path: '/sync' },
  /** Hands in the answers: `SyncValidation`, answered with `SyncOutcome`. */
  syncValidation: { method: 'POST', path: '/sync/validation' },
  /** Cancels a sign-in: `SyncCancellation`, answered with `SyncOutcome`. */
  syncCancel: { method: 'POST', path: '/sync/cancel' },
  /** Creates a post: `NewPost` and the header `Idempotency-Key`, answered with `PostCreated`. */
  posts: { method: 'POST', path: '/posts' },
  /** Changes the text of the reader's own post: `PostEdit`, answered with `PostEdited`. */
  postEdit: { method: 'PATCH', path: '/posts/{id}' },
  /** Removes the reader's own post: query `forum`, `page`, `expected_key`. */
  postRemove: { method: 'DELETE', path: '/posts/{id}' },
  /** Likes a post, or takes the like back: `PostLike`, answered with `PostLiked`. */
  postLike: { method: 'PUT', path: '/posts/{id}/like' },
  /** The posts of an article: query `forum`, `page`, `order`, `cursor`; `PostList`. Cacheable for 15 s. */
  postList: { method: 'GET', path: '/posts' },
  /** The conversation around a post: query `forum`, `page`; `PostConversation`. Cacheable for 15 s. */
  postConversation: { method: 'GET', path: '/posts/{id}/conversation' },
  /** The numbers of posts of up to ten articles: query `forum`, `page` once for each; `PostCounts`. Cacheable for 60 s. */
  postCounts: { method: 'GET', path: '/posts/counts' },
  /** A page with the comment box alone, for readers whose browser withholds the session cookie from the article's page. */
  comments: { method: 'GET', path: '/comments' },
  /** 200 while the process is alive. */
  health: { method: 'GET', path: '/healthz' },
  /** 200 while the store takes writes and the process does not drain, otherwise 503. */
  readiness: { method: 'GET', path: '/readyz' },
} as const satisfies Record<string, Endpoint>;
