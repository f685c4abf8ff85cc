/** A thread as a reader meets it in a test. */

import { fixture } from '@open-wc/testing';
import { html, nothing, type TemplateResult } from 'lit';
import type { ListedPost, PostList } from '@vestibule/shared';
import { TestBff } from '../../_bff.ts';
import type { ScriptedAnswer } from '../../../testing/scripted-bff.ts';
import { until } from '../../_until.ts';
import './thread-in-box.ts';
import type { VestibuleThread } from './vestibule-thread.ts';

export const PAGE = 'https://www.example.com/article';

export interface ThreadOptions {
  readonly bff?: TestBff;
  readonly lang?: string;
  readonly page?: string;
  /** Content of the page. */
  readonly rendered?: TemplateResult;
  readonly ownPosts?: VestibuleThread['ownPosts'];
  readonly refreshAfterMs?: number;
  /** Distance to the top of the page, in pixels. */
  readonly top?: number;
}

export function listed(id: string, message = `post ${id}`, more: Partial<ListedPost> = {}): ListedPost {
  return { id, author: { username: 'Ada Quill' }, message, created_at: '2026-06-09T20:00:00Z', ...more };
}

export class Thread {
  readonly bff: TestBff;
  readonly element: VestibuleThread;
  readonly errors: string[] = [];

  constructor(bff: TestBff, element: VestibuleThread) {
    this.bff = bff;
    this.element = element;
    element.addEventListener('vestibule-error', ({ detail }) => this.errors.push(detail.problem.type));
  }

  get root(): ShadowRoot {
    return this.element.shadowRoot!;
  }

  get text(): string {
    return this.root.textContent.replace(/\s+/g, ' ').trim();
  }

  get items(): HTMLElement[] {
    return [...this.root.querySelectorAll('li')];
  }

  get messages(): string[] {
    return this.items.map((item) => item.querySelector('.message')!.textContent);
  }

  button(name: string): HTMLButtonElement | undefined {
    return [...this.root.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === name);
  }

  async press(name: string): Promise<void> {
    await this.until(() => this.button(name), `a button “${name}”`);
    this.button(name)!.focus();
    this.button(name)!.click();
  }

  async until(isSo: () => unknown, what: string): Promise<void> {
    await until(isSo, what, () => this.text);
  }

  async says(words: string): Promise<void> {
    await this.until(() => this.text.includes(words), `“${words}”`);
  }

  requests() {
    return this.bff.requests('GET /posts');
  }
}

/** Scripts the next answers to `GET /posts`. */
export async function lists(bff: TestBff, ...answers: readonly (PostList | ScriptedAnswer)[]): Promise<void> {
  await bff.set({ answers: { 'GET /posts': answers.map((answer) => ('posts' in answer ? { json: answer } : answer)) } });
}

export async function openThread(options: ThreadOptions = {}): Promise<Thread> {
  const { bff = new TestBff(), lang = 'en', page = PAGE, rendered, ownPosts = [], refreshAfterMs, top = 0 } = options;
  const place = await fixture(html`
    <div style="padding-block-start: ${top}px">
      <vestibule-thread forum="news" page=${page} bff=${bff.url} lang=${lang} .ownPosts=${ownPosts} .refreshAfterMs=${refreshAfterMs}
      >${rendered ?? nothing}</vestibule-thread>
    </div>
  `);
  return new Thread(bff, place.querySelector('vestibule-thread')!);
}
