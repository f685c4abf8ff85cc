/** The documentation's nginx configuration, before nginx. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { codeBlocks, placeOf } from './_documents.ts';

const run = promisify(execFile);

describe('the documentation’s nginx configuration', async () => {
  for (const block of await codeBlocks('nginx')) {
    it(`is one: ${placeOf(block)}`, async () => {
      const directory = await mkdtemp(join(tmpdir(), 'vestibule-docs-nginx-'));
      const file = join(directory, 'nginx.conf');
      const errors = join(directory, 'error.log');
      await writeFile(file, [
        `pid ${directory}/pid;`, 'events {}', 'http {', 'access_log off;', 'server {', `listen unix:${directory}/socket;`, block.code, '}', '}',
      ].join('\n'));
      try {
        const { stderr } = await run(process.env['NGINX_PATH'] || '/usr/sbin/nginx', ['-t', '-p', directory, '-c', file, '-e', errors]);
        assert.match(stderr, /test is successful/);
      } finally {
        await rm(directory, { recursive: true });
      }
    });

    it(`passes the path on, and no address that a client claims: ${placeOf(block)}`, () => {
      assert.match(block.code, /proxy_pass http:\/\/[^/;]+;/);
      assert.match(block.code, /X-Forwarded-For \$remote_addr;/);
    });
  }
});
