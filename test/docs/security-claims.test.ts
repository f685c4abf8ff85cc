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

/** By the beginning of the claim, which is in bold. */
const protections: Readonly<Record<string, readonly Proof[]>> = {
  'The secret key stays on the server': [
    LEAKS,
    ['test/security/hostile-service.test.ts', 'receives no request for another host, and never the secret key in a signed request'],
  ],
  'The access token leaves the server only in the completion URL': [
    LEAKS,
    ['test/security/redirect-tricks.test.ts', 'is refused at every other path of the service'],
  ],
  'The session\'s user is the user that the token exchange proved': [
    ['packages/bff/src/sync/sign-in.test.ts', 'signs in the user that was shown and proven'],
    ['packages/bff/src/sync/sign-in.test.ts', 'refuses another user_id for good'],
    ['test/security/planted-links.test.ts', 'security review 5: under a forged username alone shows the proven name before anybody is signed in'],
  ],
  'A post is created only for the account that the box shows': [
    ['packages/bff/src/posts/posts-router.test.ts', 'creates nothing for another account than the one that the box shows, and keeps the key free'],
    ['packages/widget/src/elements/comments/posting.test.ts', 'posts nothing under an account that the box does not show: keeps the text, shows the account, and says so'],
  ],
  'A planted link signs nobody in': [
    ['test/security/planted-links.test.ts', 'is not started by another site: no attempt, no sign-in, no cookie'],
    ['test/security/planted-links.test.ts', 'changes nothing, sets no cookie and spends no code without an attempt'],
    ['test/security/planted-links.test.ts', 'leaves a live session live, under its own name'],
  ],
  'Cross-site requests are refused': [
    ['test/security/cross-site.test.ts', 'look-alike origins'],
    ['test/security/cross-site.test.ts', 'is refused without Origin unless Sec-Fetch-Site is same-origin'],
    ['test/security/sessions.test.ts', 'has a cookie with every protecting attribute, and on https with the prefix'],
  ],
  'Sessions end': [
    ['test/security/sessions.test.ts', 'planted before the sign-in does not become the reader\\\'s (fixation)'],
    ['test/security/sessions.test.ts', 'that was copied ends with the sign-out, in the store too'],
    ['test/security/sessions.test.ts', 'security review 12: does not begin after a sign-out during the token exchange'],
    ['packages/bff/src/session/session-manager.test.ts', 'expires after the idle lifetime'],
    ['packages/bff/src/session/session-manager.test.ts', 'ends at the absolute lifetime when the idle lifetime is longer'],
  ],
  'Records are encrypted': [
    ['packages/bff/src/store/record-cipher.test.ts', 'does not decrypt a text with any one character altered'],
    ['packages/bff/src/store/encrypted-collection.test.ts', 'stores neither the identifier nor the record in plaintext'],
  ],
  'Responses of the service are limited': [
    ['packages/bff/src/service/http-transport.test.ts', 'returns a body of 1 MiB, and only the status of a larger one'],
    ['packages/bff/src/service/service-response.test.ts', 'is bad-service-response for a redirect and for an informational status'],
    ['packages/bff/src/service/service-response.test.ts', 'turns the message into one line of plain text'],
  ],
  'Text of the service gives no secret away': [
    ['packages/bff/src/service/redact.test.ts', 'removes a secret that is encoded twice'],
    ['packages/bff/src/service/redact.test.ts', 'keeps less than half of a key or token in any encoding that is not made of words'],
    ['packages/bff/src/service/redact.test.ts', 'redacts names of members'],
    ['packages/bff/src/service/token-exchange.test.ts', 'is bad-service-response if the user contains the secret key, the code or a token'],
  ],
  'Nothing leaks': [LEAKS],
};

/** By the beginning of the first cell of a row. */
const limits: Readonly<Record<string, readonly Proof[]>> = {
  'head of a request': [
    [SERVER, 'answers 408 to a body that does not arrive in time, and 431 to a head beyond 16 KiB'],
  ],
  'complete request': [['test/security/hostile-requests.test.ts', 'that is too slow is ended']],
  '10 pipelined requests': [[SERVER, 'closes a connection that pipelines more than ten requests']],
  'a client that reads less than 4 KiB': [
    [SERVER, 'closes a connection whose client stops reading'],
    ['packages/bff/src/server/connection.test.ts', 'is true for a client that reads less than 4 KiB within the limit, however often'],
  ],
  '1,000 requests on one connection': [
    [SERVER, 'closes a connection after a thousand requests, also when the client sends more and reads nothing'],
  ],
  'an idle connection': [[SERVER, 'closes a kept connection without requests after its timeout']],
  'connections at the same time': [[SERVER, 'closes connections beyond its limit at once']],
  'connections of one address': [[SERVER, 'closes connections of one address beyond its limit, and accepts more when others close']],
  'requests per minute': [
    ['test/security/rate-limits.test.ts', 'security review 3: counts an address, whatever cookies its attempts left behind'],
    ['test/security/rate-limits.test.ts', 'count the address of a dead or forged session'],
  ],
};

const text = await readDocument('docs/security.md');

describe('docs/security.md', () => {
  it('claims a protection only with tests that prove it', async () => {
    await expectProofs([...sectionOf('What is protected').matchAll(/^- \*\*(.+?)\*\*/gms)].map(([, claim = '']) => claim), protections);
  });

  it('lists a limit only with tests that prove it', async () => {
    await expectProofs([...sectionOf('Limits on clients').matchAll(/^\| (.+?) \|/gm)].map(([, cell = '']) => cell).slice(2), limits);
  });
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

async function expectProofs(claims: readonly string[], proofs: Readonly<Record<string, readonly Proof[]>>): Promise<void> {
  const begins = Object.keys(proofs);
  assert.deepEqual(claims.map((claim) => begins.find((begin) => claim.startsWith(begin)) ?? claim), begins);
  for (const [file, title] of Object.values(proofs).flat()) {
    assert.equal(faultOfProof(await readFile(join(root, file), 'utf8'), title), undefined, `${file}: ${title}`);
  }
}
