/** Mutations of sessions and their cookies. */

import type { Mutation } from './mutation.ts';

const bff = 'packages/bff/src';
const sessions = 'test/security/sessions.test.ts';

export const sessionMutations: readonly Mutation[] = [
  {
    name: 'session fixation: the session cookie is not renewed at sign-in',
    file: `${bff}/sync/sync-router.ts`,
    find: 'if (sessionId !== undefined && await sessions.find(sessionId)) cookies.setSessionId(res, sessionId);',
    replace: '',
    test: { file: sessions, name: 'planted before the sign-in does not become the reader\'s (fixation)' },
  },
  {
    name: 'a copied cookie: a sign-out leaves the session in the store',
    file: `${bff}/session/session-router.ts`,
    find: 'if (sessionId !== undefined) await sessions.end(sessionId);',
    replace: '',
    test: { file: sessions, name: 'that was copied ends with the sign-out, in the store too' },
  },
  {
    name: 'cookie tossing: the first of two cookies counts',
    file: `${bff}/http/cookies.ts`,
    find: 'texts.set(name, texts.has(name) ? undefined : pair',
    replace: 'if (!texts.has(name)) texts.set(name, pair',
    test: { file: sessions, name: 'tossed by a sibling domain beside the real one is ignored, in any order' },
  },
  {
    name: 'a forged cookie: the signature is not checked',
    file: `${bff}/http/cookies.ts`,
    find: 'cookieParser.signedCookie(signed, this.#secrets)',
    replace: 'signed.slice(2, signed.lastIndexOf(\'.\'))',
    test: { file: sessions, name: 'is accepted from no altered, cut or unsigned cookie' },
  },
  {
    name: 'a stolen cookie: scripts can read it',
    file: `${bff}/http/cookies.ts`,
    find: 'httpOnly: true',
    replace: 'httpOnly: false',
    test: { file: sessions, name: 'has a cookie with every protecting attribute, and on https with the prefix' },
  },
  {
    name: 'a cookie without the prefix is accepted on https',
    file: `${bff}/http/cookies.ts`,
    find: 'this.#secure ? `__Host-Http-${name}` : name',
    replace: 'name',
    test: { file: sessions, name: 'on https is accepted from no cookie without the prefix' },
  },
  {
    name: 'a cookie under another name: the signature does not cover it',
    file: `${bff}/http/cookies.ts`,
    find: '!signed?.startsWith(`s:${fullName}.`)',
    replace: 'signed === undefined',
    test: { file: `${bff}/http/cookies.test.ts`, name: 'accepts a cookie under its own name only' },
  },
  {
    name: 'a refused token leaves its session live',
    file: `${bff}/posts/posts-router.ts`,
    find: 'toProblemError(error).type === \'not-signed-in\'',
    replace: 'false',
    test: { file: sessions, name: 'ends when the service refuses the token' },
  },
  {
    name: 'a sign-out during the exchange leaves the sign-in',
    file: `${bff}/sync/sign-in.ts`,
    find: 'const removed = await Promise.all(syncKeys.map((key) => transactions.remove(key)));',
    replace: 'const removed: SyncRecord[] = [];',
    test: { file: sessions, name: 'security review 12: does not begin after a sign-out during the token exchange' },
  },
];
