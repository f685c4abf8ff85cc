/** A box with the thread below it, as a reader meets it in a test. */

import type { ListedPost, PostList } from '@vestibule/shared';
import { TestBff } from '../_bff.ts';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import { Box, openBox, type BoxOptions } from '../comments/_box.ts';

export const PAGE = 'https://www.example.com/article';

export function listed(id: string, message = `post ${id}`, more: Partial<ListedPost> = {}): ListedPost {
  return { id, author: { username: `Reader ${id}` }, message, created_at: '2026-06-09T20:00:00Z', ...more };
}

/** Scripts the next answers to `GET /posts`. */
export async function lists(bff: TestBff, ...answers: readonly (PostList | ScriptedAnswer)[]): Promise<void> {
  await bff.set({ answers: { 'GET /posts': answers.map((answer) => ('posts' in answer ? { json: answer } : answer)) } });
}

export class Thread extends Box {
  /** The list items, in their order. */
  get posts(): HTMLElement[] {
    return this.all('li');
  }

  get messages(): string[] {
    return this.posts.map((post) => this.messageOf(post).textContent);
  }

  messageOf(post: HTMLElement): HTMLElement {
    return post.querySelector<HTMLElement>('[part~=message]')!;
  }

  /** What the post is called: its author. */
  headingOf(post: HTMLElement): HTMLElement {
    return post.querySelector<HTMLElement>('[role=heading]')!;
  }

  get threadStatus(): string {
    return this.part('thread-status')!.textContent.replace(/\s+/g, ' ').trim();
  }

  requests() {
    return this.bff.requests('GET /posts');
  }

  async hasPosts(count: number): Promise<void> {
    await this.until(() => this.posts.length === count, `${count} posts`);
  }
}

/** @param list the first list or its posts; by default the responses are scripted already */
export async function openThread(list?: readonly ListedPost[] | PostList, options: BoxOptions = {}): Promise<Thread> {
  const { bff = new TestBff(), attributes, content } = options;
  const { posts } = list && 'posts' in list ? list : { posts: list };
  if (posts) await lists(bff, { ...list, posts });
  const box = await openBox({ untouched: true, ...options, bff, attributes: { 'show-posts': '', page: PAGE, lang: 'en', ...attributes } });
  const thread = new Thread(bff, box.element);
  if (posts && !content) await thread.hasPosts(posts.length);
  return thread;
}
