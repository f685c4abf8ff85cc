/** Mutations of the sign-in: attempts, the return, the token exchange, addresses. */

import type { Mutation } from './mutation.ts';

const bff = 'packages/bff/src';
const planted = 'test/security/planted-links.test.ts';
const signIn = 'test/bff/sign-in.test.ts';
const redirects = 'test/security/redirect-tricks.test.ts';

export const signInMutations: readonly Mutation[] = [
  {
    name: 'a planted return is bound without an attempt',
    file: `${bff}/sync/sync-router.ts`,
    find: ' && cookies.attempts(req).size > 0;',
    replace: ';',
    test: { file: planted, name: 'shows nothing of its query: the page is the same for every query' },
  },
  {
    name: 'a replayed return: an attempt is bound to many returns',
    file: `${bff}/sync/authorization-attempts.ts`,
    find: 'return returnedCode === undefined && notice === undefined;',
    replace: 'return true;',
    test: { file: planted, name: 'cannot be replayed: an attempt is bound to one return, a code to one browser' },
  },
  {
    name: 'a replayed code: another browser can use it',
    file: `${bff}/sync/sign-in.ts`,
    find: 'if (!isRepeated || spent',
    replace: 'if (spent',
    test: { file: planted, name: 'cannot be replayed: an attempt is bound to one return, a code to one browser' },
  },
  {
    name: 'a swapped identity: the user_id of the exchange is not compared',
    file: `${bff}/sync/sign-in.ts`,
    find: 'userId !== undefined && userId !== claimed.user_id',
    replace: 'false',
    test: { file: planted, name: 'that names the owner of another code ends at the exchange' },
  },
  {
    name: 'a planted attempt: a cross-site navigation is bound',
    file: `${bff}/sync/sync-router.ts`,
    find: 'if (site === \'cross-site\') {',
    replace: 'if (false) {',
    test: { file: planted, name: 'security review 2: is refused with a page that names the site and cannot be framed' },
  },
  {
    name: 'a planted attempt: a request without Sec-Fetch-Site is bound',
    file: `${bff}/sync/sync-router.ts`,
    find: 'if (site === \'same-origin\' || (site === \'same-site\' && hasPagesOfOtherOrigins)) {',
    replace: '{',
    test: { file: planted, name: 'is not started by another site: no attempt, no sign-in, no cookie' },
  },
  {
    name: 'a planted sign-in: the newest one is finished, not the one shown',
    file: `${bff}/sync/sign-in.ts`,
    find: 'browser.syncKeys.find((candidate) => syncIdOf(candidate) === sync)',
    replace: 'browser.syncKeys.at(-1)',
    test: { file: planted, name: 'security review 2: is not the one that a click on an earlier form finishes, even if it is the newest' },
  },
  {
    name: 'a forged username: the proven one is not compared',
    file: `${bff}/sync/sign-in.ts`,
    find: 'if (username !== user.username) throw new ProblemError(\'user-changed\', { user });',
    replace: 'void username;',
    test: { file: planted, name: 'security review 5: under a forged username alone shows the proven name before anybody is signed in' },
  },
  {
    name: 'forged users reach onAccepted: an exchange without a user is accepted',
    file: `${bff}/sync/sign-in.ts`,
    find: 'if (userId === undefined && requireProvenUser) {',
    replace: 'if (false) {',
    test: { file: signIn, name: 'does not exist if the exchange returns no user' },
  },
  {
    name: 'an open redirect: return_to is not checked',
    file: `${bff}/sync/sync-return.ts`,
    find: 'if (!trusted)',
    replace: 'if (url === null)',
    test: { file: planted, name: 'redirects only to the page of the attempt' },
  },
  {
    name: 'an open redirect: origins are compared by their beginning',
    file: `${bff}/sync/sync-return.ts`,
    find: 'allowedOrigins.includes(url.origin)',
    replace: 'allowedOrigins.some((origin) => text.startsWith(origin))',
    test: { file: redirects, name: 'is refused in each of the 15 spellings of the family suffix-and-prefix' },
  },
  {
    name: 'a token sent elsewhere: the host of audiencesync_uri is not compared',
    file: `${bff}/service/sign-in-urls.ts`,
    find: '    && URL.parse(origin)?.origin === expected.origin\n',
    replace: '',
    test: { file: redirects, name: 'is refused in each of the 15 spellings of the family suffix-and-prefix' },
  },
  {
    name: 'a token sent elsewhere: the path of audiencesync_uri is not compared',
    file: `${bff}/service/sign-in-urls.ts`,
    find: '    && address.endsWith(expected.pathname)',
    replace: '',
    test: { file: redirects, name: 'is refused at every other path of the service' },
  },
];
