import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AcceptedUser } from '@vestibule/bff';
import type { PostCreated } from '@vestibule/shared';
import { startBff, type Bff } from '../lib/bff.ts';
import { exchangesOf, expectProblem, expectStatus, type ReaderClient } from '../lib/reader.ts';

const ada = { user_id: '52031', username: 'Ada Quill' };

/** Where this browser did not start the sign-in, the box shows the id in place of the claimed name. */
const shown = { user_id: ada.user_id, username: ada.user_id };

/** The literal reading of the interface: the token exchange returns `access_token` alone. */
const TOKEN_ALONE = { kind: 'rewrite', change: ({ access_token }: { access_token: string }) => ({ access_token }) } as const;

describe('a sign-in whose token exchange returns access_token alone', () => {
  const accepted: AcceptedUser[] = [];
  let bff: Bff;

  before(async () => {
    bff = await startBff({
      rateLimits: { posts: 2, sync: 1000, other: 1000 },
      validation: { onAccepted: ({ user }) => { accepted.push(user); } },
    });
    bff.service.faults.always('token', TOKEN_ALONE);
  });
  after(() => bff[Symbol.asyncDispose]());

  async function signIn(): Promise<ReaderClient> {
    const browser = bff.browser();
    await browser.signIn(ada);
    return browser;
  }

  it('signs the claimed user in, marked as unproven in hooks and profiles, with one warning', async () => {
    for (let i = 0; i < 2; i += 1) assert.deepEqual((await (await signIn()).session()).user, shown);
    assert.deepEqual(accepted.slice(0, 2), [{ ...shown, proven: false }, { ...shown, proven: false }]);
    const profiles = await Array.fromAsync(bff.vestibule.profiles.all());
    assert.deepEqual(profiles.map(({ proven }) => proven), [false, false]);
    assert.equal(bff.log.filter(({ setting }) => setting === 'VESTIBULE_REQUIRE_PROVEN_USER').length, 1);
  });

  it('keeps the profile of the proven user with the same id', async () => {
    bff.service.faults.next('token', undefined);
    await bff.browser().signIn(ada);
    await signIn();
    const proven = (await Array.fromAsync(bff.vestibule.profiles.all())).filter((profile) => profile.proven !== false);
    assert.equal(proven.length, 1);
  });

  it('shares neither limits nor idempotency keys with another session of the same id', async () => {
    const [one, other] = [await signIn(), await signIn()];
    const key = crypto.randomUUID();
    expectStatus(await one.createPost('From the first session', { key }), 201);
    const res = await other.createPost('From the second session', { key });
    expectStatus(res, 201);
    assert.equal(res.headers['idempotency-replayed'], undefined);
    expectStatus(await one.createPost('The last one of this minute'), 201);
    expectProblem(await one.createPost('One too many'), 'too-many-requests');
    expectStatus(await other.createPost('Of another session'), 201);
  });

  it('gets no key of an author for its own comment: the id may be another reader\'s', async () => {
    const created = { id: '1', author: { username: 'Ada', user_id: ada.user_id }, message: 'Hello', created_at: '2026-01-02T03:04:05Z' };
    await using site = await startBff({ posts: { list: () => ({ posts: [] }), created: () => created } });
    site.service.faults.next('token', TOKEN_ALONE);
    const [unproven, proven] = [site.browser(), site.browser()];
    for (const browser of [unproven, proven]) await browser.signIn(ada);
    const keyOf = async (browser: ReaderClient) => {
      const { listed } = (await browser.createPost('Hello')).body as PostCreated;
      return listed && 'author' in listed ? listed.author.key : undefined;
    };
    assert.equal(await keyOf(unproven), undefined);
    assert.equal(await keyOf(proven), (await proven.session()).user?.key);
  });

  it('is deleted with the id that it claimed', async () => {
    const browser = await signIn();
    assert.equal(await bff.vestibule.profiles.delete(ada.user_id), true);
    assert.equal((await browser.session()).state, 'anonymous');
    assert.deepEqual(await Array.fromAsync(bff.vestibule.profiles.all()), []);
  });
});

describe('getSession', () => {
  it('returns an unproven user only when asked for', async () => {
    await using bff = await startBff();
    bff.service.faults.next('token', TOKEN_ALONE);
    const browser = bff.browser();
    await browser.signIn(ada);
    const request = { headers: { cookie: browser.cookies() } } as never;
    assert.equal(await bff.vestibule.getSession(request), undefined);
    assert.deepEqual(await bff.vestibule.getSession(request, { unproven: true }), { ...shown, proven: false });
  });
});

describe('VESTIBULE_REQUIRE_PROVEN_USER=true', () => {
  it('refuses a token exchange without user_id, finally', async () => {
    await using bff = await startBff({ requireProvenUser: true });
    bff.service.faults.next('token', TOKEN_ALONE);
    const browser = bff.browser();
    const shown = await browser.begin(browser.issueReturn(ada));
    for (let i = 0; i < 2; i += 1) expectProblem(await browser.validateShown(shown), 'bad-service-response');
    assert.equal(exchangesOf(bff), 1);
    assert.equal((await browser.session()).state, 'anonymous');
  });
});
