/** Each claim of `docs/security.md` has tests that prove it: they run, and assert. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readDocument, root } from './_documents.ts';
import { faultOfProof } from './_proving-test.ts';

/** File and a part of the title of a test. */
type Proof = readonly [file: string, title: string];

const LEAKS: Proof = ['test/security/leaks.test.ts', 'not to a log, a problem, an address, the bundle or a plain byte of the store'];
const SERVER = 'packages/bff/src/server/draining-server.test.ts';

const KEYS_OF_RECORDS: Proof = ['test/docs/hash-claims.test.ts', 'is found by hashing every user id, without a secret'];
const LOG_ID: Proof = ['test/docs/hash-claims.test.ts', 'depends on the cookie secret'];
const JSON_BODY = 'packages/bff/src/http/json-body.test.ts';
const REDACT = 'packages/bff/src/service/redact.test.ts';
const SIGN_IN = 'packages/bff/src/sync/sign-in.test.ts';
const RESPONSE = 'packages/bff/src/service/service-response.test.ts';
const STANDARD = 'test/bff/standard-variant.test.ts';
const PLANTED = 'test/security/planted-links.test.ts';
const SESSIONS = 'test/security/sessions.test.ts';
const LIMITS_OF_REDACTION = 'test/docs/redaction-limits.test.ts';
const SIGNED_REQUESTS: Proof = ['test/security/hostile-service.test.ts', 'receives no request for another host, and never the secret key in a signed request'];
const OTHER_USERNAME: Proof = [SIGN_IN, 'asks again when the service proves another username, without a second exchange'];
const UNPROVEN_USER: Proof = [SIGN_IN, 'accepts the claimed user as unproven when the exchange returns none and the publisher allows it'];
const OTHER_ACCOUNT: Proof = ['packages/bff/src/posts/posts-router.test.ts', 'creates nothing for another account than the one that the box shows, and keeps the key free'];
const NO_ATTEMPT: Proof = [PLANTED, 'changes nothing, sets no cookie and spends no code without an attempt'];
const ONE_EXCHANGE: Proof = [SIGN_IN, 'exchanges once for ten requests at once and gives all of them the same outcome'];
const IDEMPOTENCY = 'packages/bff/src/posts/idempotency.test.ts';
const UNCERTAIN_POST: Proof = [IDEMPOTENCY, 'is outcome-unknown when no process can be working on the post any more'];
const ASKS_READER: Proof = ['packages/widget/src/elements/comments/posting.test.ts', 'asks the reader and repeats nothing by itself'];
const PINNED: Proof = ['test/e2e/strict-pages.test.ts', 'takes the script by its lasting address and its integrity hash'];

/** By the beginning of each sentence of the list. */
const protections: Readonly<Record<string, readonly Proof[]>> = {
  'The secret key stays on the server.': [LEAKS, SIGNED_REQUESTS],
  'It is sent only to the service, in the token exchange': [
    SIGNED_REQUESTS,
    ['test/bff/embedded-variant.test.ts', 'exchanges the code once, in a body, with the redirect URI byte for byte'],
  ],
  'The access token is sent to the service only': [LEAKS, ['packages/bff/src/service/signed-sender.test.ts', 'sends to no other host']],
  'Scripts of pages on allowed origins can read that URL.': [
    ['test/security/cross-site.test.ts', 'cannot read a response: CORS allows exactly the listed origins, with credentials'],
  ],
  'The browser opens it at the service\'s completion endpoint only.': [
    ['test/security/redirect-tricks.test.ts', 'is refused at every other path of the service'],
    [SIGN_IN, 'refuses a completion endpoint that is not the service\\\'s'],
  ],
  'The token is never logged, apart from the known limit': [LEAKS],
  'The session\'s user is the user that the reader confirmed': [
    [SIGN_IN, 'signs in the user that was shown and proven'],
    [PLANTED, 'security review 5: under a forged username alone shows the proven name before anybody is signed in'],
  ],
  'If the exchange returns another `user_id`': [[SIGN_IN, 'refuses another user_id for good']],
  'If it returns another `username`': [OTHER_USERNAME],
  'With `VESTIBULE_REQUIRE_PROVEN_USER=false`, a session': [UNPROVEN_USER],
  'With the widget, a post is created only for': [OTHER_ACCOUNT],
  'The widget sends the `user_id` of this account': [
    ['packages/widget/src/elements/comments/posting.test.ts', 'sends the account that the box shows, also with a second attempt'],
  ],
  'If another account has signed in since': [
    OTHER_ACCOUNT,
    ['packages/widget/src/elements/comments/posting.test.ts', 'posts nothing under an account that the box does not show: keeps the text, shows the account, and says so'],
  ],
  'A planted link signs nobody in.': [NO_ATTEMPT, [PLANTED, 'is not started by another site: no attempt, no sign-in, no cookie']],
  'A return is bound only to a sign-in that this browser started': [
    [PLANTED, 'changes nothing in another browser than that of the attempt'],
    [STANDARD, 'redirects without binding when it is'],
  ],
  'If `VESTIBULE_ALLOWED_ORIGINS` names another origin': [
    [STANDARD, 'binds a same-site navigation only when pages of another origin are allowed'],
  ],
  'A sign-in that starts without the header `Sec-Fetch-Site`': [[STANDARD, 'redirects without binding when it is'], NO_ATTEMPT],
  'A sign-in replaces a live session only after': [
    [STANDARD, 'replaces a live session only after the acceptance'],
    [PLANTED, 'leaves a live session live, under its own name'],
  ],
  'Cross-site requests are refused.': [['test/security/cross-site.test.ts', 'look-alike origins']],
  'Unsafe methods need an allowed `Origin`': [
    ['test/security/cross-site.test.ts', 'is refused without Origin unless Sec-Fetch-Site is same-origin'],
    ['packages/bff/src/http/origin-check.test.ts', 'refuses unsafe methods from every other origin, even with Sec-Fetch-Site: same-origin'],
  ],
  'Cookies are `HttpOnly`, host-only': [[SESSIONS, 'has a cookie with every protecting attribute, and on https with the prefix']],
  'The session cookie is `SameSite=Strict`.': [['packages/bff/src/session/browser-cookies.test.ts', 'keeps the session in one Strict cookie for the absolute lifetime']],
  'Sessions end.': [[SESSIONS, 'that was copied ends with the sign-out, in the store too']],
  'Each sign-in creates a session with a new id.': [
    [SESSIONS, 'planted before the sign-in does not become the reader\\\'s (fixation)'],
    [SESSIONS, 'cannot be guessed: ids are unique and have 256 bits'],
  ],
  'A session has an idle and an absolute lifetime.': [
    ['packages/bff/src/session/session-manager.test.ts', 'expires after the idle lifetime'],
    ['packages/bff/src/session/session-manager.test.ts', 'ends at the absolute lifetime when the idle lifetime is longer'],
  ],
  'A sign-out deletes the session in the store.': [[SESSIONS, 'that was copied ends with the sign-out, in the store too']],
  'A token exchange in flight at the sign-out': [[SESSIONS, 'security review 12: does not begin after a sign-out during the token exchange']],
  'Records are encrypted.': [LEAKS],
  'The store holds sessions, sign-ins, posting records and answers': [
    ['packages/bff/src/store/record-cipher.test.ts', 'does not decrypt a text with any one character altered'],
    ['packages/bff/src/store/record-cipher.test.ts', 'encrypts under the newest secret and decrypts under each'],
  ],
  'The keys of the records are SHA-256 hashes without a secret': [
    ['packages/bff/src/store/encrypted-collection.test.ts', 'stores neither the identifier nor the record in plaintext'],
    KEYS_OF_RECORDS,
  ],
  'The same applies to the counts of the rate limit': [
    ['packages/bff/src/http/rate-limit.test.ts', 'hashes ${network'],
    ['packages/bff/src/store/redis-rate-limit.test.ts', 'count a request with one command, by kind and key, with a short timeout'],
  ],
  'Only the hash of a user id in the log is keyed.': [LOG_ID],
  'Responses of the service are limited': [
    ['packages/bff/src/service/http-transport.test.ts', 'returns a body of 1 MiB, and only the status of a larger one'],
    ['packages/bff/src/service/service-client.test.ts', 'a call lasts no longer than longestCallMs, whether it waits or is in flight'],
    ['packages/bff/src/service/token-exchange.test.ts', 'is bad-service-response for a malformed user_id'],
  ],
  'Redirects are not followed.': [
    [RESPONSE, 'is bad-service-response for a redirect and for an informational status'],
    ['packages/bff/src/service/http-transport.test.ts', 'sends the request and returns status, headers and body, of a redirect too'],
  ],
  'No response is rendered as markup.': [
    [RESPONSE, 'turns the message into one line of plain text'],
    ['packages/widget/src/elements/comments/posting.test.ts', 'shows the service’s message as text, never as markup'],
    ['packages/widget/src/elements/thread/hostile-posts.test.ts', 'is text, whatever markup it has'],
  ],
  'Texts of the service are searched for secrets.': [
    ['test/security/hostile-service.test.ts', 'security review 12: that echoes keys, codes and tokens delivers none of them to a reader or to the log'],
  ],
  'The secret key, codes and tokens are removed from messages': [
    ['packages/bff/src/service/service-client.test.ts', 'keeps the secret key and the token out of a post that the service echoes'],
    ['packages/bff/src/service/service-client.test.ts', 'keeps the secret key and the token out of the names and across the members of what a service returns'],
    ['packages/bff/src/service/service-client.test.ts', 'keeps the secret key, the code and the token out of problems'],
  ],
  'Readers, hooks and the log receive the redacted text.': [
    ['test/security/hostile-service.test.ts', 'security review 12: that echoes keys, codes and tokens delivers none of them to a reader or to the log'],
  ],
  'The search compares ASCII letters and digits': [[LIMITS_OF_REDACTION, 'compares ASCII letters and digits without case']],
  'It finds a secret with at least four of them': [
    [REDACT, 'recognizes a secret of four letters, and ignores a shorter one'],
    [REDACT, 'removes a secret ${name}, wherever it stands'],
  ],
  'If a secret has 20 or more': [
    [REDACT, 'removes ten characters of a key'],
    [REDACT, 'counts ten characters as the secret if it has twenty, and nine of them not'],
  ],
  'It decodes percent, JSON and HTML escapes': [[REDACT, 'removes a secret ${name}, wherever it stands']],
  'A text of up to 2,048 characters is decoded twice': [
    [REDACT, 'removes a secret that is encoded twice'],
    [LIMITS_OF_REDACTION, 'decodes twice up to 2,048 characters, once up to 65,536, and never beyond'],
  ],
  'A text of up to 65,536 characters is decoded once': [
    [LIMITS_OF_REDACTION, 'decodes twice up to 2,048 characters, once up to 65,536, and never beyond'],
  ],
  'If a message has more than 16 letters and digits': [
    [REDACT, 'keeps less than half of a key or token in any encoding that is not made of words'],
    [LIMITS_OF_REDACTION, 'redacts each unusual word if the unusual words of a message have more than 16 letters and digits'],
  ],
  'A token exchange that returns a secret': [
    ['packages/bff/src/service/token-exchange.test.ts', 'is bad-service-response if the user contains the secret key, the code or a token'],
  ],
  'Known limit: the search does not find': [[LIMITS_OF_REDACTION, 'does not find a secret in an encoding of ordinary words']],
  'A created post can contain it': [[LIMITS_OF_REDACTION, 'does not find a secret in an encoding of ordinary words']],
  'Nothing leaks.': [LEAKS],
  'Codes, tokens, cookies and readers\' texts appear in no log': [LEAKS],
  'The return of the service has a code in its URL.': [[STANDARD, 'binds the sign-in and redirects the popup to the form page, without parameters']],
  'The BFF and the widget remove it': [
    [STANDARD, 'binds the sign-in and redirects the popup to the form page, without parameters'],
    ['packages/widget/src/callback/callback-params.test.ts', 'takes the four parameters and removes them from address and history'],
  ],
};

/** By the beginning of each sentence below the diagram. */
const signInClaims: Readonly<Record<string, readonly Proof[]>> = {
  'In the embedded variant, a reader comes to': [[STANDARD, 'to a browser without an attempt']],
  'Such a return changes nothing.': [NO_ATTEMPT],
  'The form asks the reader to confirm': [
    ['packages/widget/src/elements/sync/vestibule-sync.start.test.ts', 'sends nothing and fires no event before the reader continues'],
  ],
  'With `sync="inline"`': [['packages/widget/src/elements/comments/sign-in.test.ts', 'shows the form in the box with the callback of the address']],
  'A sign-in is one record.': [[SIGN_IN, 'gives the same transaction to a repeated request of the browser, or with its request key']],
  'Its state moves from `validating`': [
    ['packages/bff/src/sync/sync-transaction.test.ts', 'from ${from} to ${to}'],
    ['packages/bff/src/sync/sync-transaction.test.ts', 'is undefined for the second of two writers'],
  ],
  'The code is exchanged at most once.': [ONE_EXCHANGE, [SIGN_IN, 'is outcome-unknown after a crash during the exchange, and never sends the code again']],
  'After a crash, the identical request': [
    ['test/fault/sign-in-crash.test.ts', 'is completed by the identical request or ends as outcome-unknown, with one exchange at most: SQLite'],
    ['test/fault/sign-in-crash.test.ts', 'is completed by the identical request or ends as outcome-unknown, with one exchange at most: Redis'],
  ],
  'Each post has an `Idempotency-Key`.': [
    ['test/security/hostile-requests.test.ts', 'with a hostile Idempotency-Key, Accept, Accept-Language, Cookie or request id gets a response after less than 250 ms of CPU time'],
    ['packages/widget/src/elements/comments/posting.test.ts', 'keeps the key over a reload, so that nothing is posted twice'],
  ],
  'The BFF stores the intent before it sends the request': [
    [IDEMPOTENCY, 'stores the intent before the work begins'],
    [IDEMPOTENCY, 'stores each result as done, for other releases'],
  ],
  'If the store fails in between': [
    [IDEMPOTENCY, 'keeps the post when the store is back after the response'],
    [IDEMPOTENCY, 'tries to keep a result for a minute, with pauses that double from 500 ms'],
    [IDEMPOTENCY, 'returns the post when its record cannot be kept; the key then ends as outcome-unknown'],
  ],
  'If the service may have created a post': [
    [RESPONSE, 'is outcome-unknown if a byte may have been sent, and service-unavailable if none was'],
    UNCERTAIN_POST,
  ],
  'The BFF never sends such a post again': [
    UNCERTAIN_POST,
    ['test/fault/crash.test.ts', 'loses no session, doubles no post, and loses no acknowledged post'],
  ],
  'The widget asks the reader first.': [ASKS_READER],
};

/** By the first cell of a row. */
const limitsOfProtocol: Readonly<Record<string, readonly Proof[]>> = {
  '`state`': [NO_ATTEMPT, [STANDARD, 'binds the attempt to this browser with a Lax cookie and sets no session']],
  PKCE: [
    [SIGN_IN, 'gives the code to one of two concurrent returns, and leaves one transaction'],
    [STANDARD, 'binds the sign-in and redirects the popup to the form page, without parameters'],
    LEAKS,
  ],
  'proof of `username` and `user_id`': [OTHER_USERNAME, [SIGN_IN, 'refuses another user_id for good']],
  'completion without a URL': [
    ['packages/widget/src/elements/sync/vestibule-sync.outcome.test.ts', 'fires the event, then replaces the page by the completion URL'],
    ['packages/widget/src/elements/sync/vestibule-sync.outcome.test.ts', 'keeps the completion URL out of the document, the address and every storage'],
  ],
  'idempotent creation of posts': [UNCERTAIN_POST, ASKS_READER],
  'sign-out': [[SESSIONS, 'that was copied ends with the sign-out, in the store too']],
  'proof of the secret key': [
    ['packages/bff/src/service/token-exchange.test.ts', 'is bad-service-response for a redirect, and for JSON that is no object'],
    SIGNED_REQUESTS,
  ],
  'a digest newer than SHA-1': [
    ['packages/bff/src/signing/sign-request.test.ts', 'reproduces the service\'s own example and returns each step'],
    ['packages/bff/src/signing/normalize-params.test.ts', 'is the SHA-1 of the normalized parameters in base64'],
  ],
};

/** By the second cell of a row. Without tests: what a page of the service does. */
const assumptions: Readonly<Record<string, readonly Proof[]>> = {
  'the response to a created post': [
    ['test/bff/posts.test.ts', 'accepts every success whose body is no failure'],
    [RESPONSE, 'is outcome-unknown for a 2xx with ${name}'],
  ],
  'values of `error`': [
    ['packages/bff/src/sync/sync-return.test.ts', 'recognizes a denial by error, with any value and any other parameters'],
    ['packages/bff/src/sync/sync-return.test.ts', 'recognizes an earlier grant by success=1 without a code'],
  ],
  'the response to the token exchange': [['packages/bff/src/service/token-exchange.test.ts', 'returns token, id and name'], UNPROVEN_USER],
  'what the completion page shows': [],
  'when the reader counts as signed in': [['test/bff/embedded-variant.test.ts', 'leads from the return through the questions to a signed post that arrives byte for byte']],
  'when `success=0` is sent': [
    [SIGN_IN, 'completes with success=0 and without a session'],
    [SIGN_IN, 'rejects the reader by ${what}, again for the identical request, and leaves a notice'],
  ],
  'the parameters of a signed GET': [
    ['packages/bff/src/service/signed-sender.test.ts', 'sends the parameters of a GET in the query, without a body'],
    ['packages/bff/src/signing/sign-request.test.ts', 'contains an empty body hash for a request without parameters'],
  ],
  'the clock of the nonce': [['test/fault/clock-drift.test.ts', 's off costs one refused post, which is repeated']],
  'which failures carried nothing out': [[RESPONSE, 'is service-unavailable only if the request was certainly not carried out']],
  'lengths and characters': [
    ['packages/bff/src/sync/sync-return.test.ts', 'accepts each of them at its longest'],
    ['packages/bff/src/sync/sync-return.test.ts', 'refuses each of them missing, empty, of another type, ill-formed or too long'],
  ],
  'further headers': [['test/docs/privacy-claims.test.ts', 'sends neither the address nor the User-Agent of a reader, and no User-Agent of its own']],
};

const policyClaims: Readonly<Record<string, readonly Proof[]>> = {
  'A page with a Content Security Policy allows': [['test/docs/pages.test.ts', 'needs no more than this of its policy']],
  'The elements need no permission': [['test/e2e/strict-pages.test.ts', 'sees no violation of it from the first letter to the post, the form’s window included']],
  'The second line is for pages with Trusted Types.': [['test/e2e/strict-pages.test.ts', 'shows a fallback link if `trusted-types` lacks `lit-html`']],
  'A page that has a copy of Lit': [['test/e2e/strict-pages.test.ts', 'on another origin ${title} sees none either']],
  'The pages of the BFF have a strict policy.': [[STANDARD, 'have a strict policy, refuse frames and send no referrer']],
  'They cannot be framed': [['test/security/cross-site.test.ts', 'cannot frame the form page, which sends no referrer']],
};

const pinningClaims: Readonly<Record<string, readonly Proof[]>> = {
  'Browsers revalidate `widget.js`': [['packages/bff/src/http/static-files.test.ts', 'caches files named after their content for a year, and widget.js for five minutes']],
  'To pin a release instead': [PINNED],
  'The BFF serves this file as immutable.': [['packages/bff/src/http/static-files.test.ts', 'caches files named after their content for a year, and widget.js for five minutes']],
  '`dist/widget/sri.json` in the package': [['test/bench/widget-size.test.ts', 'publishes the integrity of each script']],
  'The attribute `integrity` covers this file only.': [PINNED],
  'The file loads later chunks from `assets/`': [['test/e2e/script-addresses.test.ts', 'loads the first stage by these addresses only, up to the window of a sign-in']],
  'To cover the chunks too': [['test/docs/pinned-scripts.test.ts', 'lets the chunks load']],
  'Its member `integrity` maps': [['test/docs/pinned-scripts.test.ts', 'keeps a chunk with another content from being loaded']],
  'Set `VESTIBULE_WIDGET_ARCHIVE`': [['packages/bff/src/http/static-files.test.ts', 'serves chunks and pinned scripts of the previous release']],
};

/** By the first cell of a row. */
const limits: Readonly<Record<string, readonly Proof[]>> = {
  'head of a request': [
    [SERVER, 'gives a client ten seconds for the head of a request, within the time for the request, and closes an idle connection after 75'],
    [SERVER, 'answers 408 to a body that does not arrive in time, and 431 to a head beyond 16 KiB'],
  ],
  'complete request': [['test/security/hostile-requests.test.ts', 'that is too slow is ended']],
  'body of a request': [[JSON_BODY, 'takes the longest message however it is escaped, and refuses a body well over it: payload-too-large']],
  'encoding of a body': [[JSON_BODY, 'refuses compression and other character sets: unsupported-media-type']],
  'depth of the JSON of a body': [[JSON_BODY, 'refuses JSON that nests too deep: invalid-request']],
  'pipelined requests of one connection': [[SERVER, 'closes a connection that pipelines more than ten requests']],
  'reading of a waiting response': [
    [SERVER, 'closes a connection whose client stops reading'],
    ['packages/bff/src/server/connection.test.ts', 'is true for a client that reads less than 4 KiB within the limit, however often'],
  ],
  'requests on one connection': [
    [SERVER, 'closes a connection after a thousand requests, also when the client sends more and reads nothing'],
  ],
  'idle time of a connection': [
    [SERVER, 'gives a client ten seconds for the head of a request, within the time for the request, and closes an idle connection after 75'],
    [SERVER, 'closes a kept connection without requests after its timeout'],
  ],
  'connections at the same time': [[SERVER, 'closes connections beyond its limit at once']],
  'connections of one address at the same time': [[SERVER, 'closes connections of one address beyond its limit, and accepts more when others close']],
  'new connections of one address': [[SERVER, 'lets new connections of one address beyond its limit wait for the next second']],
  'time for requests of one address': [
    ['packages/bff/src/server/connection.test.ts', 'passes on one read of each client address per turn of the event loop'],
    ['packages/bff/src/server/connection.test.ts', 'calls the next read ${when}'],
  ],
  'requests per minute': [
    ['test/security/rate-limits.test.ts', 'security review 3: counts an address, with and without the cookies of its attempts'],
    ['test/security/rate-limits.test.ts', 'count the address of a dead or forged session'],
    ['packages/bff/src/http/rate-limit.test.ts', 'counts ${kind} per user, and per address without one'],
    ['packages/bff/src/http/rate-limit.test.ts', 'allows requests while the store throws'],
    ['packages/bff/src/store/redis-rate-limit.test.ts', 'are counted by each process on its own if the store is no Redis'],
  ],
};

const text = await readDocument('docs/security.md');

describe('docs/security.md', () => {
  for (const [heading, claims, proofs] of [
    ['What is protected', sentencesOf('What is protected', 'list'), protections],
    ['The sign-in', sentencesOf('The sign-in'), signInClaims],
    ['Limits of the protocol', cellsOf('Limits of the protocol', 0), limitsOfProtocol],
    ['Assumptions about the interface', cellsOf('Assumptions about the interface', 1), assumptions],
    ['Content Security Policy', sentencesOf('Content Security Policy'), policyClaims],
    ['Pinned scripts', sentencesOf('Pinned scripts'), pinningClaims],
    ['Limits on clients', cellsOf('Limits on clients', 0), limits],
  ] as const) {
    it(`claims nothing without tests that prove it: ${heading}`, async () => {
      const begins = Object.keys(proofs);
      assert.deepEqual(claims.map((claim) => begins.find((begin) => claim.startsWith(begin)) ?? claim), begins);
      for (const [file, title] of Object.values(proofs).flat()) {
        assert.equal(faultOfProof(await readFile(join(root, file), 'utf8'), title), undefined, `${file}: ${title}`);
      }
    });
  }
});

describe('faultOfProof', () => {
  const proving = (code: string) => faultOfProof(code, 'ends');
  const body = 'async () => { assert.equal(1, 1); }';

  it('accepts a test that asserts, itself or in a function of its file', () => {
    assert.equal(proving(`describe('a session', () => { it('ends', ${body}); });`), undefined);
    assert.equal(proving('const check = () => { expect(1).to.equal(1); }; it(`ends`, () => check());'), undefined);
  });

  it('refuses another title, a skipped test, a skipped suite, and a test without an assertion', () => {
    assert.equal(proving(`it('begins', ${body});`), 'no test has this title');
    for (const code of [`it.skip('ends', ${body});`, `it.todo('ends');`, `it('ends', { skip: true }, ${body});`, `describe.skip('a session', () => { it('ends', ${body}); });`]) {
      assert.equal(proving(code), 'the test is skipped', code);
    }
    for (const code of [`it('ends', () => {});`, `it('ends', () => { // assert(true)\n});`, `it('ends');`]) {
      assert.equal(proving(code), 'the test asserts nothing', code);
    }
  });
});

function sectionOf(heading: string): string {
  const [, section] = text.split(`\n## ${heading}\n`);
  assert.ok(section, heading);
  return section.split('\n## ')[0] as string;
}

/** The sentences of a section, or of its list, without code and tables. */
function sentencesOf(heading: string, part: 'list' | 'paragraphs' = 'paragraphs'): readonly string[] {
  const prose = sectionOf(heading).replace(/^```[^\n]*\n[\s\S]*?^```$/gm, '').replace(/^\|.*$/gm, '');
  return prose.split(/\n\n|\n(?= *- )/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '' && (part === 'paragraphs' || paragraph.startsWith('- ')))
    .flatMap((paragraph) => paragraph.replace(/^- /, '').replaceAll('**', '').replace(/\s+/g, ' ').split(/(?<=\.) (?=[A-Z`])/));
}

/** A column of the table of a section. */
function cellsOf(heading: string, column: number): readonly string[] {
  return [...sectionOf(heading).matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | ')[column]!).slice(2);
}
