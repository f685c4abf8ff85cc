/** Protections to remove one at a time, and the test that must fail for each. */

export interface Mutation {
  /** The attack that is let in. */
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  readonly test: { readonly file: string; readonly name: string };
}

const bff = 'packages/bff/src';
const crossSite = 'test/security/cross-site.test.ts';
const sessions = 'test/security/sessions.test.ts';
const planted = 'test/security/planted-links.test.ts';
const requests = 'test/security/hostile-requests.test.ts';
const service = 'test/security/hostile-service.test.ts';
const signIn = 'test/bff/sign-in.test.ts';
const redirects = 'test/security/redirect-tricks.test.ts';
const leaks = 'test/security/leaks.test.ts';

const leak = 'through 60 flows, failures included: not to a log, a problem, an address, the bundle or a plain byte of the store';

export const mutations: readonly Mutation[] = [
  {
    name: 'a forged request: the origin is not checked',
    file: `${bff}/http/origin-check.ts`,
    find: 'if (!SAFE_METHODS.includes(req.method) && !isAllowed && !isSameOrigin(req, origin))',
    replace: 'if (false)',
    test: { file: crossSite, name: 'is refused at POST /posts from each of 24 look-alike origins' },
  },
  {
    name: 'a look-alike origin: prefixes match',
    file: `${bff}/http/origin-check.ts`,
    find: 'origin !== undefined && allowed.has(origin)',
    replace: 'origin !== undefined && origins.some((one) => origin.startsWith(one))',
    test: { file: crossSite, name: 'cannot read a response: CORS allows exactly the listed origins, with credentials' },
  },
  {
    name: 'a forged request: same-site passes as same-origin',
    file: `${bff}/http/origin-check.ts`,
    find: '=== \'same-origin\'',
    replace: '!== \'cross-site\'',
    test: { file: crossSite, name: 'is refused without Origin unless Sec-Fetch-Site is same-origin' },
  },
  {
    name: 'a form of another site: any media type passes as JSON',
    file: `${bff}/http/json-body.ts`,
    find: 'hasBody(req) && !JSON_IN_UTF8.test(req.get(\'Content-Type\') ?? \'\')',
    replace: 'false',
    test: { file: crossSite, name: 'is refused as a form or as text: only JSON is accepted' },
  },
  {
    name: 'clickjacking: the form page can be framed',
    file: `${bff}/sync/pages.ts`,
    find: '    `frame-ancestors \'none\'`,\n',
    replace: '',
    test: { file: crossSite, name: 'cannot frame the form page, which sends no referrer' },
  },
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
    find: 'text === undefined || duplicates.length > 0 ?',
    replace: 'text === undefined ?',
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
    name: 'a refused token leaves its session live',
    file: `${bff}/posts/posts-router.ts`,
    find: 'error.type === \'not-signed-in\'',
    replace: 'false',
    test: { file: sessions, name: 'ends when the service refuses the token' },
  },
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
    test: { file: planted, name: 'is refused with a page that names the site and cannot be framed' },
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
    test: { file: planted, name: 'is not the one that a click on an earlier form finishes, even if it is the newest' },
  },
  {
    name: 'a forged username: the proven one is not compared',
    file: `${bff}/sync/sign-in.ts`,
    find: 'if (username !== user.username) throw new ProblemError(\'user-changed\', { user });',
    replace: 'void username;',
    test: { file: planted, name: 'under a forged username alone shows the proven name before anybody is signed in' },
  },
  {
    name: 'a sign-out during the exchange leaves the sign-in',
    file: `${bff}/sync/sign-in.ts`,
    find: 'const removed = await Promise.all(syncKeys.map((key) => transactions.remove(key)));',
    replace: 'const removed: SyncRecord[] = [];',
    test: { file: signIn, name: 'by a sign-out during the exchange signs nobody in' },
  },
  {
    name: 'forged users reach onAccepted: an exchange without a user is accepted',
    file: `${bff}/sync/sign-in.ts`,
    find: 'if (userId === undefined && requireProvenUser) return new ProblemError(\'bad-service-response\');',
    replace: '',
    test: { file: signIn, name: 'is nobody when the exchange returns no user' },
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
  {
    name: 'a repeated parameter: the first one counts',
    file: `${bff}/sync/sync-return.ts`,
    find: 'if (query.getAll(name).length > 1)',
    replace: 'if (false)',
    test: { file: requests, name: 'with repeated, nested or bracketed parameters is refused or parsed by the URL standard' },
  },
  {
    name: 'deeply nested JSON is parsed',
    file: `${bff}/http/json-body.ts`,
    find: 'isWithinJsonDepth(text) ? JSON.parse(text) : undefined',
    replace: 'JSON.parse(text)',
    test: { file: requests, name: 'with deeply nested JSON is refused before it is parsed' },
  },
  {
    name: 'bytes that are not UTF-8 are replaced',
    file: `${bff}/http/json-body.ts`,
    find: '{ fatal: true }',
    replace: '{ fatal: false }',
    test: { file: requests, name: 'with a body that is too large, not UTF-8, compressed, or in another charset is refused' },
  },
  {
    name: 'an unknown member is ignored',
    file: `${bff}/posts/new-post.ts`,
    find: 'z.strictObject',
    replace: 'z.object',
    test: { file: requests, name: 'that reaches for a prototype is refused' },
  },
  {
    name: 'a response without an end is read for ever',
    file: `${bff}/service/http-transport.ts`,
    find: 'this.#size <= MAX_BODY_SIZE',
    replace: 'true',
    test: { file: service, name: 'that responds to a post with 40 MiB of JSON: outcome-unknown' },
  },
  {
    name: 'a 2xx that cannot be read counts as created',
    file: `${bff}/service/service-response.ts`,
    find: 'if (json === undefined) throw unreadable();',
    replace: '',
    test: { file: service, name: 'that responds to a post with a page with a script: outcome-unknown' },
  },
  {
    name: 'a 503 of a gateway counts as not carried out',
    file: `${bff}/service/service-response.ts`,
    find: '(hasEnvelope || retryAfter !== undefined)',
    replace: 'true',
    test: { file: service, name: 'that responds to a post with a 503 without Retry-After: outcome-unknown' },
  },
  {
    name: 'the service echoes keys and tokens to the reader',
    file: `${bff}/service/redact.ts`,
    find: 'if (!this.#reveals(text)) return text;',
    replace: 'return text;',
    test: { file: service, name: 'that echoes keys, codes and tokens delivers none of them to a reader or to the log' },
  },
  {
    name: 'one reader opens the circuit breaker for all',
    file: `${bff}/service/operation-policy.ts`,
    find: 'this.#partitions.add(partition ?? ',
    replace: 'this.#partitions.add(',
    test: { file: service, name: 'that responds to one reader with failures alone does not affect the others' },
  },
  {
    name: 'a wrong Date header breaks signatures that work',
    file: `${bff}/service/signed-sender.ts`,
    find: 'const { correctionMs } = clock;',
    replace: 'const correctionMs = clock.driftMs ?? 0;',
    test: { file: 'test/fault/clock-drift.test.ts', name: 'that is right while its Date header is an hour ahead: no signature breaks' },
  },
  {
    name: 'a 401 over the time signs the reader out',
    file: `${bff}/service/service-response.ts`,
    find: ' && !isClockDisputed',
    replace: '',
    test: { file: 'test/fault/clock-drift.test.ts', name: 'that is right while its Date header is an hour ahead: a bare 401 signs nobody out' },
  },
  {
    name: 'one address fills the queue of the token exchange',
    file: `${bff}/service/operation-policy.ts`,
    find: 'const PARTITION_SHARE = 1 / 4;',
    replace: 'const PARTITION_SHARE = 1;',
    test: { file: `${bff}/service/operation-policy.test.ts`, name: 'one partition occupies a quarter of the slots and of the queue: others are admitted at once' },
  },
  {
    name: 'a response of any depth is parsed',
    file: `${bff}/service/service-response.ts`,
    find: 'if (!isWithinJsonDepth(text)) return undefined;',
    replace: '',
    test: { file: service, name: 'that responds to a post with JSON 100 levels deep: outcome-unknown' },
  },
  {
    name: 'a refusal’s line breaks and bidi marks reach the reader',
    file: `${bff}/lib/text.ts`,
    find: ".replace(UNPRINTABLE, ' ')",
    replace: '',
    test: { file: service, name: 'that responds to a post with a refusal with line breaks and bidi marks: service-refused' },
  },
  {
    name: 'a token that breaks a header is kept',
    file: `${bff}/service/token-exchange.ts`,
    find: '!isQuotable(accessToken) || ',
    replace: '',
    test: { file: service, name: 'that responds to a token exchange with a token that breaks a header: bad-service-response' },
  },
  {
    name: 'the message of a hook\'s error reaches the log',
    file: `${bff}/config/run-hook.ts`,
    find: 'throw fail(new HookError(`The hook ${name} threw.`, error));',
    replace: 'throw fail(error as HookError);',
    test: { file: `${bff}/config/run-hook.test.ts`, name: 'logs the hook\'s name and its place, without the message, when it throws' },
  },
  {
    name: 'the words of any error reach the log',
    file: `${bff}/log-error.ts`,
    find: 'return isOurs ? error.message : undefined;',
    replace: 'return error.message;',
    test: { file: `${bff}/log-error.test.ts`, name: 'tells of an error that was made elsewhere where, and not a word of its message' },
  },
  {
    name: 'the store holds plain text',
    file: `${bff}/store/record-cipher.ts`,
    find: "return `${id}.${Buffer.concat([iv, ciphertext, cipher.getAuthTag()]).toString('base64url')}`;",
    replace: 'return `${id}.${plaintext}`;',
    test: { file: leaks, name: leak },
  },
  {
    name: 'the log carries URLs with their query',
    file: `${bff}/http/request-context.ts`,
    find: 'route,\n        status: res.statusCode,',
    replace: 'route: res.req.originalUrl,\n        status: res.statusCode,',
    test: { file: leaks, name: leak },
  },
];
