/** Protections undone one at a time, and the test that must notice each. */

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
const redirects = 'test/security/redirect-tricks.test.ts';
const leaks = 'test/security/leaks.test.ts';

const leak = 'through 60 flows, failures included: not to a log, a problem, an address, the bundle or a plain byte of the store';

export const mutations: readonly Mutation[] = [
  {
    name: 'a forged request: the origin is not looked at',
    file: `${bff}/http/origin-check.ts`,
    find: 'if (!SAFE_METHODS.includes(req.method) && !isAllowed && !isSameOrigin(req, origin))',
    replace: 'if (false)',
    test: { file: crossSite, name: 'is refused at POST /posts from each of 24 origins that only look like ours' },
  },
  {
    name: 'a look-alike origin: suffixes count',
    file: `${bff}/http/origin-check.ts`,
    find: 'origin !== undefined && allowed.has(origin)',
    replace: 'origin !== undefined && origins.some((one) => origin.startsWith(one))',
    test: { file: crossSite, name: 'cannot read an answer: only the listed origins are named, each exactly, with credentials' },
  },
  {
    name: 'a forged request: the same site passes for the same origin',
    file: `${bff}/http/origin-check.ts`,
    find: "=== 'same-origin'",
    replace: "!== 'cross-site'",
    test: { file: crossSite, name: 'is refused where it says neither Origin nor Sec-Fetch-Site, or a site that is not the same origin' },
  },
  {
    name: 'a form of another site: any media type is taken for JSON',
    file: `${bff}/http/json-body.ts`,
    find: "if (!JSON_IN_UTF8.test(req.get('Content-Type') ?? ''))",
    replace: 'if (false)',
    test: { file: crossSite, name: 'cannot pass as a form or a text: only JSON is taken' },
  },
  {
    name: 'clickjacking: the form page may be framed',
    file: `${bff}/sync/form-page.ts`,
    find: "    `frame-ancestors 'none'`,\n",
    replace: '',
    test: { file: crossSite, name: 'cannot frame the form page, nor have its address told on' },
  },
  {
    name: 'session fixation: the id is not renewed at sign-in',
    file: `${bff}/sync/sync-router.ts`,
    find: 'if (sessionId !== undefined) cookies.setSessionId(res, sessionId);',
    replace: '',
    test: { file: sessions, name: 'planted before the sign-in is dead after it (fixation)' },
  },
  {
    name: 'a copied cookie: signing out leaves the session in the store',
    file: `${bff}/session/session-router.ts`,
    find: 'sessions.end(handle), flow.forget(handle)',
    replace: 'flow.forget(handle)',
    test: { file: sessions, name: 'copied before signing out is dead after it, in the store and not only in the browser' },
  },
  {
    name: 'cookie tossing: the first of two cookies is believed',
    file: `${bff}/http/cookies.ts`,
    find: 'text === undefined || duplicates.length > 0 ?',
    replace: 'text === undefined ?',
    test: { file: sessions, name: 'tossed beside the real one by a sibling domain is refused, whichever comes first' },
  },
  {
    name: 'a forged cookie: the signature is not checked',
    file: `${bff}/http/cookies.ts`,
    find: 'cookieParser.signedCookie(signed, this.#secrets)',
    replace: 'signed.slice(2, signed.lastIndexOf(\'.\'))',
    test: { file: sessions, name: 'is not believed under an altered, cut or unsigned cookie' },
  },
  {
    name: 'a stolen cookie: scripts may read it',
    file: `${bff}/http/cookies.ts`,
    find: 'httpOnly: true',
    replace: 'httpOnly: false',
    test: { file: sessions, name: 'carries every attribute that keeps it where it belongs, and on https the prefix that proves it' },
  },
  {
    name: 'a cookie of the http name is believed on https',
    file: `${bff}/http/cookies.ts`,
    find: 'this.#secure ? `__Host-Http-${name}` : name',
    replace: 'name',
    test: { file: sessions, name: 'of the http name is not believed on https' },
  },
  {
    name: 'a refused token leaves its session alive',
    file: `${bff}/posts/posts-router.ts`,
    find: "error.type === 'not-signed-in'",
    replace: 'false',
    test: { file: sessions, name: 'ends with the token that the service no longer takes' },
  },
  {
    name: 'a planted return binds in a browser that began nothing',
    file: `${bff}/sync/attempts.ts`,
    find: 'return this.#deps.cookies.attempts(req).size > 0;',
    replace: 'return true;',
    test: { file: planted, name: 'shows nothing of what it carries: the page is the same for every query' },
  },
  {
    name: 'a replayed return: an attempt is good for ever',
    file: `${bff}/sync/attempts.ts`,
    find: 'const taken = await attempts.take(newest.id);',
    replace: 'const taken = (await attempts.find(newest.id))?.record;',
    test: { file: planted, name: 'cannot be replayed: an attempt is good for one return, a code for one hand-over' },
  },
  {
    name: 'a replayed code is handed in again',
    file: `${bff}/sync/sync-flow.ts`,
    find: 'if (!await usedCodes.putIfAbsent(syncReturn.code, true, USED_CODE_MS))',
    replace: 'if (false)',
    test: { file: planted, name: 'cannot be replayed: an attempt is good for one return, a code for one hand-over' },
  },
  {
    name: 'a swapped identity: the exchange’s user is not compared',
    file: `${bff}/sync/sync-flow.ts`,
    find: 'if (grant.userId !== sync.user_id)',
    replace: 'if (false)',
    test: { file: planted, name: 'names an account that the code does not belong to, and is found out at the exchange' },
  },
  {
    name: 'an open redirect: return_to is not checked',
    file: `${bff}/sync/return-uri.ts`,
    find: 'if (!trusted)',
    replace: 'if (url === null)',
    test: { file: planted, name: 'leads nowhere else by return_to, and back to the page it began at' },
  },
  {
    name: 'an open redirect: origins are compared by their beginning',
    file: `${bff}/sync/return-uri.ts`,
    find: 'allowedOrigins.includes(url.origin)',
    replace: 'allowedOrigins.some((origin) => text.startsWith(origin))',
    test: { file: redirects, name: 'is refused in each of the 15 spellings of the family suffix-and-prefix' },
  },
  {
    name: 'a token sent elsewhere: the host of audiencesync_uri is not compared',
    file: `${bff}/service/completion-url.ts`,
    find: '    && URL.parse(origin)?.origin === expected.origin\n',
    replace: '',
    test: { file: redirects, name: 'is refused in each of the 15 spellings of the family suffix-and-prefix' },
  },
  {
    name: 'a token sent elsewhere: the path of audiencesync_uri is not compared',
    file: `${bff}/service/completion-url.ts`,
    find: '    && address.endsWith(expected.pathname)',
    replace: '',
    test: { file: redirects, name: 'is refused at every other path of the service' },
  },
  {
    name: 'a parameter given twice: the first one counts',
    file: `${bff}/sync/parse-sync-return.ts`,
    find: 'if (query.getAll(name).length > 1)',
    replace: 'if (false)',
    test: { file: requests, name: 'with parameters doubled, nested or in brackets is refused or taken for what the standard says' },
  },
  {
    name: 'JSON without a bottom is parsed',
    file: `${bff}/http/json-body.ts`,
    find: 'isWithinJsonDepth(text) ? JSON.parse(text) : undefined',
    replace: 'JSON.parse(text)',
    test: { file: requests, name: 'with JSON that nests without end is refused before anything walks it' },
  },
  {
    name: 'bytes that are no UTF-8 are mended in silence',
    file: `${bff}/http/json-body.ts`,
    find: '{ fatal: true }',
    replace: '{ fatal: false }',
    test: { file: requests, name: 'with a body too large, in bytes that are no UTF-8, compressed, or in another charset is refused' },
  },
  {
    name: 'an unknown member is passed over',
    file: `${bff}/posts/parse-new-post.ts`,
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
    file: `${bff}/lib/plain-text.ts`,
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
    name: 'a hook’s words reach the log',
    file: `${bff}/sync/run-hook.ts`,
    find: 'cause: error instanceof HookTimeoutError ? error : new HookFailure(name, error)',
    replace: 'cause: error',
    test: {
      file: `${bff}/sync/run-hook.test.ts`,
      name: 'is internal-error where the hook throws or rejects, with the place and without the words, which may be a reader\'s',
    },
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
    name: 'the log names addresses as they came',
    file: `${bff}/http/request-log.ts`,
    find: 'route,\n        status,',
    replace: 'route: res.req.originalUrl,\n        status,',
    test: { file: leaks, name: leak },
  },
];
