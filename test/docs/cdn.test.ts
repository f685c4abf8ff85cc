/** The table of CDN rules in `docs/install.md`, compared with what the BFF sends. */

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { widgetDirectory } from '../../packages/bff/src/http/static-files.ts';
import { startBff } from '../bff/_bff.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { readDocument } from './_documents.ts';

const page = await readDocument('docs/install.md');
const files = await readdir(widgetDirectory(), { recursive: true });
const fileLike = (pattern: RegExp) => `/${files.find((name) => pattern.test(name)) ?? assert.fail(String(pattern))}`;

/** Requests by the first cell of their row. */
const requests: Readonly<Record<string, readonly string[]>> = {
  '`/widget.js`': ['/widget.js'],
  '`/assets/*` and `/widget-<version>-<hash>.js`': [fileLike(/^assets\/.+\.js$/), fileLike(/^widget-.+\.js$/)],
  '`GET /posts`': [`/posts?forum=news&page=${encodeURIComponent('https://www.news.example/a')}`],
  'everything else': ['/session', '/sync/form', '/comments', '/healthz', '/sync/authorize', '/sync/return?error=access_denied'],
};

describe('the CDN rules of the documentation', () => {
  const bff = suiteResource(() => startBff({
    allowedOrigins: ['https://www.news.example'],
    posts: { list: () => ({ posts: [] }) },
  }));

  for (const [, cell = '', header = ''] of page.matchAll(/^\| (.+) \| `((?:public|no-store).*?)` \| .+ \|$/gm)) {
    it(`agrees with the headers of the BFF: ${cell}`, async () => {
      for (const path of requests[cell] ?? assert.fail('nothing requests it')) {
        const { headers } = await bff().browser().get(path).set('Accept', '*/*');
        assert.equal(headers['cache-control'], header, join(path));
      }
    });
  }

  it('has a row for each of them', () => {
    for (const cell of Object.keys(requests)) assert.ok(page.includes(`| ${cell} |`), cell);
  });
});
