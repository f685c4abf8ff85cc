/** The example modules of the BFF, before the emulated service, and readers of an article. */

import assert from 'node:assert/strict';
import type { VestibuleConfig } from '@vestibule/bff';
import type { PostList } from '@vestibule/shared';
import { expectStatus, startBff, type Bff, type Browser } from '../lib/bff.ts';
import type { ServiceOptions } from '../service/index.ts';

export async function importExample<Exports>(name: string): Promise<Exports> {
  return await import(new URL(`../../packages/bff/examples/${name}`, import.meta.url).href) as Exports;
}

/** The BFF with the configuration of an example. */
export async function startExample(name: string, serviceOptions: ServiceOptions): Promise<Bff> {
  const { default: config } = await importExample<{ default: Partial<VestibuleConfig> }>(name);
  return startBff({ rateLimits: 'off', ...config, serviceOptions });
}

export async function signedIn(bff: Bff, reader = 0): Promise<Browser> {
  const browser = bff.browser();
  const { outcome } = await browser.signIn(bff.service.readers[reader]);
  assert.equal(outcome, 'accepted');
  return browser;
}

/** What `GET /posts` lists. */
export async function listPosts(bff: Bff, page: string, cursor?: string): Promise<PostList> {
  const query = new URLSearchParams({ forum: 'news', page, ...(cursor !== undefined && { cursor }) });
  const res = await bff.browser().get(`/posts?${query}`);
  expectStatus(res, 200);
  return res.body as PostList;
}
