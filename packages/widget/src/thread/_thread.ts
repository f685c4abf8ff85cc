/** The thread as a reader meets it in a test. */

import type { ListedPost, PostList } from '@vestibule/shared';
import { TestBff } from '../_bff.ts';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import { letPass, Seen } from '../box/_box.ts';
import { randomKey } from '../lib/random-key.ts';
import { rowOf, type Entry } from '../writing/entry.ts';
import type { ShownEntry } from '../writing/outbox.ts';
import type { ThreadChange } from './thread-state.ts';
import type { VestibuleThread } from './vestibule-thread.ts';
import './vestibule-thread.ts';

export const PAGE = 'https://www.example.com/article';

export function listed(id: string, message = `post ${id}`, more: Partial<ListedPost> = {}): ListedPost {
  return { id, author: { username: `Reader ${id}` }, message, created_at: '2026-06-09T20:00:00Z', ...more };
}

let seconds = 0;

/** A reply; later ones have later times. */
export function reply(id: string, parent_id: string, message?: string): ListedPost {
  seconds += 1;
  return listed(id, message, { parent_id, created_at: new Date(Date.UTC(2026, 5, 9, 21) + seconds * 1000).toISOString() });
}

/** A posted entry of Ada, just now. */
export function own(text: string, more: Partial<Entry> = {}): ShownEntry {
  const at = Date.now();
  const entry: Entry = {
    state: 'posted', account: '42', forum: 'news', article: 'https://www.example.com/article', id: randomKey(), key: '', text,
    address: 'https://www.example.com/article', user: { user_id: '42', username: 'Ada' }, pressedAt: at, startedAt: at, postedAt: at, attempts: 1, nextAt: at, ...more,
  };
  return { entry, row: rowOf(entry, at, true), isKept: true };
}

/** The top-level texts and, for each, those of its replies: `a(b c)`. */
export const shape = (tree: readonly unknown[]): string => (tree as [string, unknown[]?][])
  .map(([text, replies]) => text.replace('post ', '') + (replies ? `(${shape(replies)})` : '')).join(' ');

/** Scripts the next answers to `GET /posts`. */
export async function lists(bff: TestBff, ...answers: readonly (PostList | ScriptedAnswer)[]): Promise<void> {
  await bff.set({ answers: { 'GET /posts': answers.map((answer) => ('posts' in answer ? { json: answer } : answer)) } });
}

/** Two animation frames: an observer has reported by then. */
export const frames = (): Promise<void> => new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
});

/** A minute later. */
export function minuteLater(): void {
  letPass(61_000);
  document.dispatchEvent(new Event('visibilitychange'));
}

export class Thread extends Seen<VestibuleThread> {
  readonly bff: TestBff;
  readonly changes: ThreadChange[] = [];

  constructor(bff: TestBff, element: VestibuleThread) {
    super(element);
    this.bff = bff;
    element.addEventListener('change', ({ detail }: CustomEventInit<ThreadChange>) => (
      this.changes.push(JSON.parse(JSON.stringify(detail)) as ThreadChange)
    ));
  }

  /** The list items that are not folded, in their order. */
  get posts(): HTMLElement[] {
    return this.all('li:not([hidden])');
  }

  /** The texts of comments, each with its replies. */
  get tree(): unknown[] {
    const listOf = (parent: ParentNode): unknown[] => [...parent.querySelectorAll(':scope > li')].map((item) => {
      const replies = item.querySelector('ol');
      return [this.messageOf(item).textContent, ...replies ? [listOf(replies)] : []];
    });
    return this.all('ol').filter((list) => !list.parentElement!.closest('li')).flatMap(listOf);
  }

  get messages(): string[] {
    return this.posts.map((post) => this.messageOf(post).textContent);
  }

  post(message: string): HTMLElement {
    return this.posts.find((post) => this.messageOf(post).textContent === message)!;
  }

  messageOf(post: Element): HTMLElement {
    return post.querySelector<HTMLElement>('[part~=message]')!;
  }

  /** What the post is called: its author. */
  headingOf(post: HTMLElement): HTMLElement {
    return post.querySelector<HTMLElement>('[role=heading]')!;
  }

  /** A button or link of one post. */
  act(message: string, name: string): HTMLElement | undefined {
    return this.all('button, a', this.post(message)).find((act) => act.checkVisibility() && act.textContent.trim() === name);
  }

  /** Names of the buttons and links of one post, those of its menu included. */
  actsOf(message: string): string[] {
    const row = this.all('.acts, .entry', this.post(message)).find((one) => one.closest('li') === this.post(message));
    const isOffered = (act: HTMLElement): boolean => act.closest('.menu') ? dotsOf(act)!.checkVisibility() : act.checkVisibility();
    return row ? this.all('.quiet', row).filter(isOffered).map((act) => act.ariaLabel ?? act.querySelector('span')?.textContent ?? act.textContent) : [];
  }

  /** Opens the menu of one post. */
  async openMenu(message: string): Promise<HTMLElement> {
    await this.until(() => this.act(message, '…'), 'the menu');
    const button = this.act(message, '…') as HTMLButtonElement;
    button.click();
    return button.popoverTargetElement as HTMLElement;
  }

  get threadStatus(): string {
    return this.part('thread-status')!.textContent.replace(/\s+/g, ' ').trim();
  }

  /** The composer of a reply. */
  get composer(): HTMLElement & { readonly parent?: string; readonly replyTo?: string } | undefined {
    return this.element.shadowRoot!.querySelector<HTMLElement>('vestibule-comments') ?? undefined;
  }

  async choose(order: string): Promise<void> {
    await this.until(() => this.all('select')[0], 'the orders');
    const [select] = this.all<HTMLSelectElement>('select');
    select!.value = [...select!.options].find(({ text }) => text === order)!.value;
    select!.dispatchEvent(new Event('change', { bubbles: true }));
  }

  async queries(): Promise<(Record<string, string> | undefined)[]> {
    return (await this.bff.requests('GET /posts')).map(({ query }) => query);
  }

  /** @param request such as `GET /posts` */
  async hasAsked(request: string, times: number): Promise<void> {
    await this.until(async () => (await this.bff.requests(request)).length === times, `${times} × ${request}`);
  }

  async hasPosts(count: number): Promise<void> {
    await this.until(() => this.posts.length === count, `${count} posts`);
  }

  /** The comments have their own heights: `content-visibility` gives others to those that no frame has shown yet. */
  async isLaidOut(posts?: readonly HTMLElement[]): Promise<void> {
    await this.until(() => (posts ?? this.posts).every((post) => this.messageOf(post).checkVisibility({ contentVisibilityAuto: true })), 'the layout');
  }
}

/** The button of the menu that has this item. */
function dotsOf(item: Element): HTMLElement | null {
  return item.closest('.menu')!.previousElementSibling as HTMLElement | null;
}

export interface ThreadOptions extends Partial<Omit<VestibuleThread, 'style' | 'bff'>> {
  readonly bff?: TestBff;
  /** Children of the element, as HTML. */
  readonly content?: string;
  /** Default: the body. */
  readonly place?: Node;
}

const removals: (() => void)[] = [];

/** @param list the first list or its posts; by default the responses are scripted already @param shown how many are shown */
export async function openThread(
  list?: readonly ListedPost[] | PostList, options: ThreadOptions = {}, shown?: number,
): Promise<Thread> {
  const { bff = new TestBff(), content = '', place = document.body, ...properties } = options;
  const { posts } = list && 'posts' in list ? list : { posts: list };
  if (posts) await lists(bff, { ...list, posts });
  const element = Object.assign(document.createElement('vestibule-thread'), {
    forum: 'news', page: PAGE, lang: 'en', bff: bff.url, account: '42',
    ...properties,
  });
  element.innerHTML = content;
  const thread = new Thread(bff, element);
  const container = document.createElement('div');
  container.append(element);
  place.appendChild(container);
  removals.push(() => container.remove());
  await element.updateComplete;
  if (posts && !content) await thread.hasPosts(shown ?? posts.length);
  return thread;
}

afterEach(() => {
  for (const remove of removals.splice(0)) remove();
});
