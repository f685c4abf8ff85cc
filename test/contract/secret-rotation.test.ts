/** A rotation of the cookie secrets: the newest comes first, the older ones stay (contract, sections 2 and 4). */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startBff, type BffSettings } from '../lib/bff.ts';
import { expectStatus, type Shown } from '../lib/reader.ts';
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
