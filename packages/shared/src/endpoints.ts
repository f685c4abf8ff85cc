/** Method and path of every endpoint of the BFF, relative to its public URL. The widget and the BFF both read this. */

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
}

export const endpoints = {
  session: { method: 'GET', path: '/session' },
  signOut: { method: 'DELETE', path: '/session' },
  syncAuthorize: { method: 'GET', path: '/sync/authorize' },
  syncReturn: { method: 'GET', path: '/sync/return' },
  syncForm: { method: 'GET', path: '/sync/form' },
  syncStart: { method: 'POST', path: '/sync' },
  syncValidation: { method: 'POST', path: '/sync/validation' },
  syncCancel: { method: 'POST', path: '/sync/cancel' },
  posts: { method: 'POST', path: '/posts' },
  postList: { method: 'GET', path: '/posts' },
  comments: { method: 'GET', path: '/comments' },
  health: { method: 'GET', path: '/healthz' },
  readiness: { method: 'GET', path: '/readyz' },
} as const satisfies Record<string, Endpoint>;
