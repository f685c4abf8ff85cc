/** The documentation's nginx configuration, before nginx. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { codeBlocks, placeOf } from './_documents.ts';

const run = promisify(execFile);

describe('the documentation’s nginx configuration', async () => {
  for (const block of await codeBlocks('nginx')) {
    it(`is one: ${placeOf(block)}`, async () => {
      await using directory = await temporaryDirectory();
      const { path } = directory;
      const file = join(path, 'nginx.conf');
      const errors = join(path, 'error.log');
      await writeFile(file, [
        `pid ${path}/pid;`, 'events {}', 'http {', 'access_log off;', 'server {', `listen unix:${path}/socket;`, block.code, '}', '}',
      ].join('\n'));
      const { stderr } = await run(process.env['NGINX_PATH'] || '/usr/sbin/nginx', ['-t', '-p', path, '-c', file, '-e', errors]);
      assert.match(stderr, /test is successful/);
    });

    it(`passes the path on, and no address that a client claims: ${placeOf(block)}`, () => {
      assert.match(block.code, /proxy_pass http:\/\/[^/;]+;/);
      assert.match(block.code, /X-Forwarded-For \$remote_addr;/);
    });
  }
});
