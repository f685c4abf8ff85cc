/** A rotation of the cookie secrets: the newest comes first, the older ones stay (contract, sections 2 and 4). */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createLogIds, sha256 } from '../../packages/bff/src/lib/identifiers.ts';
import type { PostRecord } from '../../packages/bff/src/posts/idempotency.ts';
import { Cipher } from '../../packages/bff/src/store/cipher.ts';
import { createRecords } from '../../packages/bff/src/store/records.ts';
import { startBff, type BffSettings } from '../lib/bff.ts';
import { FailingStore } from '../lib/failing-store.ts';
import { expectStatus, type ReaderClient, type Shown } from '../lib/reader.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';

const secrets = ['an-older-cookie-secret-of-32-bytes-or-more', 'a-newer-cookie-secret-of-32-bytes-or-more'] as const;
const orders = [[secrets[0]], [secrets[1], secrets[0]]] as const;

const KEY = 'idempotency-key-1';

const posts: BffSettings['posts'] = { list: () => ({ posts: [] }), remove: () => ({ ok: true }) };

describe('a rotation of the cookie secrets', () => {
  it('keeps the account of a page that is open: its reader deletes a comment', async () => {
    await using directory = await temporaryDirectory();
    const store = `sqlite:${join(directory.path, 'store.db')}`;
    let [cookies, key] = ['', ''];
    for (const cookieSecrets of orders) {
      await using bff = await startBff({ store, posts, cookieSecrets: [...cookieSecrets] });
      const reader = bff.browser();
      if (key === '') {
        await reader.signIn();
        [cookies, key] = [reader.cookies(), (await reader.session()).user?.key ?? ''];
      }
      const article = { forum: 'news', page: `${bff.origin}/a`, expected_key: key };
      expectStatus(await reader.keepCookies(cookies).delete(`/posts/7?${new URLSearchParams(article)}`), 204);
    }
  });

  it('keeps the outcome of a sign-in: the identical request gets it again, and a sign-out ends its session', async () => {
    await using directory = await temporaryDirectory();
    const store = `sqlite:${join(directory.path, 'store.db')}`;
    let cookies = '';
    let shown: Shown | undefined;
    let first: object | undefined;
    for (const cookieSecrets of orders) {
      await using bff = await startBff({ store, cookieSecrets: [...cookieSecrets] });
      const reader = bff.browser();
      if (shown) {
        assert.deepEqual((await reader.keepCookies(cookies).validateShown(shown)).body, first);
        const sync = cookies.split('; ').filter((pair) => pair.startsWith('vestibule-sync=')).join();
        expectStatus(await bff.browser().keepCookies(sync).delete('/session'), 204);
        assert.equal(await reader.state(), 'anonymous');
      } else {
        shown = await reader.begin();
        first = (await reader.validateShown(shown)).body as object;
        cookies = reader.cookies();
      }
    }
  });

  it('keeps what a key has led to, after a new sign-in too', async () => {
    await using directory = await temporaryDirectory();
    const store = `sqlite:${join(directory.path, 'store.db')}`;
    const replayed: (string | undefined)[] = [];
    for (const cookieSecrets of orders) {
      await using bff = await startBff({ store, cookieSecrets: [...cookieSecrets] });
      const reader = bff.browser();
      await reader.signIn();
      const res = await reader.createPost('Hello', { key: KEY });
      expectStatus(res, 201);
      replayed.push(res.headers['idempotency-replayed']);
    }
    assert.deepEqual(replayed, [undefined, 'true']);
  });
});

describe('the record of a post that release 0.3 stored', () => {
  it('answers a repetition, whichever secret was the newest then', async () => {
    const store = new FailingStore();
    const message = 'Hello';
    const started: PostRecord = { body: sha256('news', message, ''), request_id: 'r', result: { post: { id: '900' } } };
    for (const [i, secret] of secrets.entries()) {
      await using bff = await startBff({ cookieSecrets: [...orders[1]] }, { store });
      const reader = bff.browser();
      await reader.signIn();
      const { user_id = '' } = (await reader.session()).user ?? {};
      const key = `${KEY}-${i}`;
      const [tag = ''] = createLogIds({ cookieSecrets: [secret], siteKey: '' }).earlierTags(user_id);
      const records = createRecords<PostRecord>('post', { store, cipher: new Cipher([secret]), now: Date.now, siteKey: '' });
      await records.create({ tag, id: sha256(tag, key) }, started, 60_000);
      const res = await reader.createPost(message, { key });
      assert.deepEqual([res.headers['idempotency-replayed'], res.body, bff.service.posts.length], ['true', { post: { id: '900' } }, 0]);
    }
  });
});

describe('a sign-in that release 0.3 finished', () => {
  /** As 0.3 stores the session of the reader's cookie. */
  async function storeAsEarlier(store: FailingStore, reader: ReaderClient): Promise<void> {
    const [, , id = '', tag = ''] = decodeURIComponent(reader.cookie('vestibule') ?? '').split(/[:.]/);
    const records = createRecords<object>('session', { store, cipher: new Cipher([secrets[0]]), now: Date.now, siteKey: '' });
    const { record } = await records.find({ id, tag }) ?? {};
    assert.ok(record);
    const [earlier = ''] = createLogIds({ cookieSecrets: [secrets[0]], siteKey: '' }).earlierTags('31007');
    await records.put({ id, tag: earlier }, record, 60_000);
    await records.delete({ id, tag });
  }

  it('is repeated with its session, which a sign-out ends', async () => {
    const store = new FailingStore();
    await using bff = await startBff({ cookieSecrets: [secrets[0]] }, { store });
    const reader = bff.browser();
    const shown = await reader.begin();
    const first = await reader.validateShown(shown);
    await storeAsEarlier(store, reader);
    assert.equal(await reader.state(), 'anonymous');
    const repeated = await reader.validateShown(shown);
    assert.deepEqual(repeated.body, first.body);
    assert.equal(await reader.state(), 'signed-in');
    const cookies = reader.cookies();
    const sync = cookies.split('; ').filter((pair) => pair.startsWith('vestibule-sync=')).join();
    expectStatus(await bff.browser().keepCookies(sync).delete('/session'), 204);
    assert.equal(await reader.state(), 'anonymous');
  });
});
