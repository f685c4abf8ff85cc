/** A BFF with a ready-made thread, before the emulated service with threads, and readers at its articles. */

import type { PostCreated, PostList } from '@vestibule/shared';
import { startBff, type Bff, type BffSettings } from '../lib/bff.ts';
import { expectStatus, type ReaderClient } from '../lib/reader.ts';
import type { RealWorldShape } from '../service/index.ts';

export const ARTICLE = 'https://www.example.com/article';

export type Listed = Extract<PostCreated['listed'], { readonly id: string }>;

export interface ThreadOptions extends BffSettings {
  readonly shapes?: readonly RealWorldShape[];
}

export function startThread({ shapes = [], ...settings }: ThreadOptions = {}): Promise<Bff> {
  return startBff({
    threads: 'service', rateLimits: 'off', allowedOrigins: ['https://www.example.com'],
    serviceOptions: { threads: true, realWorldShapes: shapes }, ...settings,
  });
}

/** A reader who is signed in, at an article. */
export class Writer {
  readonly browser: ReaderClient;
  readonly page: string;

  constructor(browser: ReaderClient, page: string) {
    this.browser = browser;
    this.page = page;
  }

  static async signIn(bff: Bff, reader = 0, page = ARTICLE): Promise<Writer> {
    const browser = bff.browser();
    await browser.signIn(bff.service.readers[reader]);
    return new Writer(browser, page);
  }

  post(message: string, parent?: string, key: string = crypto.randomUUID()) {
    return this.browser.post('/posts', { forum: 'news', message, page: this.page, parent }).set('Idempotency-Key', key);
  }

  async write(message: string, parent?: string): Promise<Listed> {
    const res = await this.post(message, parent);
    expectStatus(res, 201);
    return (res.body as PostCreated).listed as Listed;
  }

  edit(id: string, message: string) {
    return this.browser.patch(`/posts/${id}`, { forum: 'news', page: this.page, message });
  }

  remove(id: string) {
    return this.browser.delete(`/posts/${id}?${new URLSearchParams({ forum: 'news', page: this.page })}`);
  }

  like(id: string, liked = true) {
    return this.browser.put(`/posts/${id}/like`, { forum: 'news', page: this.page, liked });
  }
}

/** The list as a new reader gets it: no cache has it. */
export async function listOf(
  bff: Bff, { page = ARTICLE, ...query }: Readonly<Record<string, string | undefined>> = {},
): Promise<PostList> {
  bff.passTime(61);
  const params = Object.entries({ forum: 'news', page, ...query }).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const res = await bff.browser().get(`/posts?${new URLSearchParams(params)}`);
  expectStatus(res, 200);
  return res.body as PostList;
}

export const messagesOf = ({ posts }: Pick<PostList, 'posts'>) => posts.map(({ message }) => message);
