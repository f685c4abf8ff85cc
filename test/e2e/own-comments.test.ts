/** The reader's own comments and likes, from the thread through the BFF to the publisher's hooks. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostEntry, PostHooks } from '@vestibule/bff';
import { suiteResource } from '../lib/suite-resource.ts';
import { allow, answerInWindow, ARTICLE, post, signIn, startStage, write, type Visitor } from './_stage.ts';

/** A publisher's own comments, whose ids a path must encode. */
function createHooks(entries: PostEntry[]): PostHooks {
  const likes = new Map<string, Set<string>>();
  const isOwn = (entry: PostEntry, { user_id }: { readonly user_id: string }): boolean => entry.author.user_id === user_id;
  return {
    prepare: () => ({ ok: true }),
    created({ user, post: { message } }) {
      const id = `n:${entries.length + 1} ü`;
      const { username, user_id } = user;
      const entry = { id, author: { username, user_id }, message: String(message), created_at: new Date().toISOString() };
      entries.unshift(entry);
      return entry;
    },
    list() {
      const posts = entries.map((entry) => ({ ...entry, likes: likes.get(String(entry.id))?.size ?? 0 }));
      return { posts, total: posts.length };
    },
    edit({ id, message, user }) {
      const index = entries.findIndex((entry) => entry.id === id && isOwn(entry, user));
      if (index < 0) return { ok: false, gone: true };
      return { ok: true, post: entries[index] = { ...entries[index]!, message, edited_at: new Date().toISOString() } };
    },
    remove({ id, user }) {
      const index = entries.findIndex((entry) => entry.id === id && isOwn(entry, user));
      if (index < 0) return { ok: false, gone: true };
      entries.splice(index, 1);
      return { ok: true };
    },
    like({ id, liked, user }) {
      const users = likes.get(id) ?? new Set();
      likes.set(id, users);
      users[liked ? 'add' : 'delete'](user.user_id);
      return { ok: true, likes: users.size };
    },
  };
}

describe('the reader’s own comments', () => {
  const entries: PostEntry[] = [];
  const stage = suiteResource(() => startStage({ posts: createHooks(entries) }));

  const button = ({ box }: Visitor, name: string | RegExp) => box.locator('vestibule-thread').getByRole('button', { name });

  it('are edited and removed, and others like them; the list of the next reader shows it', async () => {
    await using writer = await stage().reader();
    await writer.open();
    await signIn(writer);
    await write(writer, 'My first thought');
    await post(writer);
    await button(writer, 'Edit').click();
    await writer.box.getByLabel('Edit your comment').last().fill('My second thought');
    await button(writer, 'Save changes').click();
    await writer.box.getByText('edited', { exact: true }).waitFor();
    // The answer is there.
    await button(writer, 'Edit').waitFor();

    // Others see a change with the next list.
    stage().passTime(61);
    await using other = await stage().reader();
    await other.page.goto(stage().demo.url + ARTICLE);
    await other.box.scrollIntoViewIfNeeded();
    await other.box.getByText('My second thought').waitFor();
    assert.equal(await button(other, 'Edit').count(), 0);
    const [window] = await Promise.all([other.page.waitForEvent('popup'), button(other, 'Like').click()]);
    await allow(window, 'Jörg');
    await answerInWindow(window);
    await other.page.locator('vestibule-comments:state(signed-in)').waitFor();
    await button(other, 'Like').click();
    await button(other, /^Like.*1 like/).and(other.page.locator('[aria-pressed=true]')).waitFor();
    await other.page.reload();
    await other.box.scrollIntoViewIfNeeded();
    await button(other, /^Like.*1 like/).and(other.page.locator('[aria-pressed=true]')).waitFor();

    await button(writer, 'More').click();
    await button(writer, 'Delete').click();
    await button(writer, 'Delete').click();
    await writer.box.getByText('Your comment was deleted.').waitFor();
    assert.deepEqual(entries, []);
    assert.deepEqual([writer.complaints, other.complaints], [[], []]);
  });

  it('say at the comment that a button does nothing where its script does not load, with a button that does it then', async () => {
    stage().passTime(122);
    entries.push({ id: 'b', author: { username: 'Bo' }, message: 'A thought of another', created_at: '2026-06-09T20:00:00Z' });
    await using reader = await stage().reader();
    const { page, box } = reader;
    await page.route(/\/assets\/actions-/, (route) => route.fulfill({ status: 404, body: 'Not found' }));
    await reader.open();
    await signIn(reader);
    await write(reader, 'My first thought');
    await post(reader);
    const [mine, other] = ['My first thought', 'A thought of another'].map((text) => box.getByRole('listitem').filter({ hasText: text }));
    for (const [comment, name] of [[mine, 'Edit'], [mine, 'Delete'], [other, 'Like']] as const) {
      if (name === 'Delete') await comment!.getByRole('button', { name: 'More' }).click();
      await comment!.getByRole('button', { name }).click();
      await comment!.getByRole('alert').getByText('We could not connect.').waitFor();
      assert.equal(await box.getByRole('alert').count(), 1);
    }
    await page.unrouteAll();
    await other!.getByRole('button', { name: 'Try again' }).click();
    await other!.getByRole('button', { name: 'Like' }).and(box.locator('[aria-pressed=true]')).waitFor();
    assert.equal(await box.getByRole('alert').count(), 0);
  });
});
