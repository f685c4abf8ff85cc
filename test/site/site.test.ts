import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import express from 'express';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { articles } from './articles/index.ts';
import type { SiteOptions } from './options.ts';
import { createSite } from './site.ts';

const options: SiteOptions = {
  vestibuleUrl: '/vestibule',
  forum: 'news',
  serviceUrl: 'http://service.example:8081/comments',
  publicKey: 'public key',
  redirectUri: 'http://site.example/vestibule/sync/return?verify=1',
  listPosts: (path) => Promise.resolve({
    posts: [{ id: '7', author: { username: '<Ada>' }, message: `On ${path}\n& more`, created_at: '2026-06-09T20:09:00Z' }],
    next_cursor: 'next',
  }),
};

const everyPage = ['/', ...articles.map(({ slug }) => `/articles/${slug}`), '/validate', '/nothing', '/articles/nothing'];

async function startSite(bent: Partial<SiteOptions> = {}) {
  const server = createServer(express().disable('x-powered-by').use(createSite({ ...options, ...bent })));
  const origin = await listen(server);
  return {
    get: (path: string, headers: Record<string, string> = {}) => fetch(origin + path, { redirect: 'manual', headers }),
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

describe('createSite', () => {
  it('sends every page and every asset under the strict policy', async () => {
    await using site = await startSite();
    for (const path of [...everyPage, '/assets/site.css', '/assets/site.js']) {
      assert.equal(
        (await site.get(path)).headers.get('Content-Security-Policy'),
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "form-action 'self' http://service.example:8081; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
        path,
      );
    }
  });

  it('names the origin of a BFF that is elsewhere', async () => {
    await using site = await startSite({ vestibuleUrl: 'https://comments.example/vestibule' });
    const response = await site.get('/articles/lamplighter');
    const policy = response.headers.get('Content-Security-Policy') ?? '';
    assert.match(policy, /script-src 'self' https:\/\/comments\.example;/);
    assert.match(policy, /connect-src 'self' https:\/\/comments\.example;/);
    assert.match(await response.text(), /<script type="module" src="https:\/\/comments\.example\/vestibule\/widget\.js"><\/script>/);
  });

  it('has nothing inline and nothing from elsewhere on any page', async () => {
    await using site = await startSite();
    for (const path of everyPage) {
      const page = await (await site.get(path)).text();
      assert.doesNotMatch(page, /\sstyle=|<style|\son[a-z]+=|<script>|<img|@import/, path);
      for (const [, url] of page.matchAll(/(?:src|<link[^>]*href)="([^"]*)"/g)) assert.match(url ?? '', /^\/(?:assets|vestibule|articles)\//, path);
    }
  });

  it('embeds the comment box in two lines, as the contract has it', async () => {
    await using site = await startSite();
    for (const { slug } of articles) {
      assert.match(
        await (await site.get(`/articles/${slug}`)).text(),
        /<script type="module" src="\/vestibule\/widget\.js"><\/script>\n<vestibule-comments forum="news" show-posts><\/vestibule-comments>/,
      );
    }
  });

  it('gives the box the attributes that the query asks for, escaped', async () => {
    await using site = await startSite();
    const query = new URLSearchParams({ sync: 'inline', lang: 'de', prefill: '"><script>alert(1)</script>', onclick: 'alert(1)', forum: 'sport' });
    assert.match(
      await (await site.get(`/articles/lamplighter?${query}&theme=dark&theme=light`)).text(),
      /<vestibule-comments forum="sport" show-posts sync="inline" lang="de" prefill="&#34;&#62;&#60;script&#62;alert\(1\)&#60;\/script&#62;"><\/vestibule-comments>/,
    );
  });

  it('renders the first posts into the page if the query asks for it, escaped', async () => {
    await using site = await startSite();
    const page = await (await site.get('/articles/lamplighter?posts=server')).text();
    assert.match(page, /<vestibule-comments [^>]*show-posts[^>]*><ol slot="posts" data-next-cursor="next">\s*<li data-post-id="7">/);
    assert.match(page, /<bdi>&#60;Ada&#62;<\/bdi><\/b> <time datetime="2026-06-09T20:09:00Z">9 June 2026<\/time>/);
    assert.match(page, /<p class="message" dir="auto">On \/articles\/lamplighter\n&#38; more<\/p>/);
  });

  it('shows two boxes where it is asked to', async () => {
    await using site = await startSite();
    assert.equal((await (await site.get('/articles/lamplighter?boxes=2')).text()).match(/<vestibule-comments /g)?.length, 2);
  });

  it('leads to the embedded entrance with its own redirect URI, in a window and in the page', async () => {
    await using site = await startSite();
    const page = await (await site.get('/articles/lamplighter')).text();
    for (const display of ['popup', 'page']) {
      const [, href = ''] = new RegExp(`id="entrance-${display}"[^>]*href="([^"]*)"`).exec(page) ?? [];
      const url = new URL(href.replaceAll('&#38;', '&'));
      assert.equal(url.origin + url.pathname, 'http://service.example:8081/comments/embedded/entrance');
      assert.deepEqual(Object.fromEntries(url.searchParams), {
        client_id: 'public key', forum_id: 'news', redirect_uri: options.redirectUri, display,
      });
    }
  });

  it('carries the validation form on a page of its own', async () => {
    await using site = await startSite();
    assert.match(await (await site.get('/validate?code=1')).text(), /<vestibule-sync><\/vestibule-sync>/);
  });

  it('leads a reader back to the article that they were reading, and nowhere else', async () => {
    await using site = await startSite();
    const cookie = (await site.get('/articles/town-clock')).headers.get('Set-Cookie')?.split(';')[0] ?? '';
    const back = async (sent: string) => (await site.get('/back', { Cookie: sent })).headers.get('Location');
    assert.equal(await back(`other=1; ${cookie}`), '/articles/town-clock');
    assert.equal(await back('courier-last-read=//evil.example'), '/');
    assert.equal(await back(''), '/');
  });

  it('says so where there is nothing', async () => {
    await using site = await startSite();
    assert.deepEqual([(await site.get('/nothing')).status, (await site.get('/articles/nothing')).status], [404, 404]);
  });
});
