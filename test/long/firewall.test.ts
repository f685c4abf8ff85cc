/** The published exclusions for the OWASP Core Rule Set, in Apache with ModSecurity in front of a BFF. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL, startProcess } from '../lib/bff-process.ts';
import { endProcess } from '../lib/end-process.ts';
import { freePort } from '../lib/free-port.ts';
import { expectProblem, expectStatus, ReaderClient } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until } from '../lib/until.ts';
import { startEmulatedService } from '../service/index.ts';

const { origin: ORIGIN, host: HOST } = new URL(PUBLIC_URL);
const REDIRECT_URI = `${PUBLIC_URL}/sync/return`;

/** An address that the rules take for an event handler of HTML. */
const ARTICLE = `${ORIGIN}/article/one?x=1`;
const page = encodeURIComponent(ARTICLE);

const messages = [
  '1 or 1=1', 'see ../../etc/passwd', 'SELECT * FROM life WHERE love = 1', 'cat /etc/hosts', 'import os',
  '${jndi:ldap://example.net/a}', '<script>alert(1)</script>', "'; drop table comments; --",
];

const exclusions = fileURLToPath(new URL('../../packages/bff/deploy/modsecurity-crs.conf', import.meta.url));
const modules = ['mpm_event', 'authz_core', 'unique_id', 'proxy', 'proxy_http', 'security2'];

/** @param bff its origin. @param paranoiaLevel of the rules, 1 to 4 */
async function startApache(bff: string, paranoiaLevel: number) {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryDirectory());
  await chmod(path, 0o777);
  const port = await freePort();
  // Apache opens the audit log of the recommended settings, even if another setting follows. Its folder may be missing.
  const recommended = await readFile('/etc/modsecurity/modsecurity.conf-recommended', 'utf8');
  await writeFile(join(path, 'recommended.conf'), recommended
    .replace(/^SecAuditLog .*$/m, `SecAuditLog ${path}/audit.log`)
    .replace(/^SecUnicodeMapFile (?=\w)/m, 'SecUnicodeMapFile /etc/modsecurity/'));
  await writeFile(join(path, 'apache.conf'), `
    ${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
    User www-data
    Group www-data
    ServerName ${HOST}
    Listen 127.0.0.1:${port}
    PidFile ${path}/pid
    ErrorLog ${path}/error.log
    ProxyPass /vestibule/ ${bff}/vestibule/
    Include ${path}/recommended.conf
    SecRuleEngine On
    SecDataDir ${path}
    Include /etc/modsecurity/crs/crs-setup.conf
    SecAction "id:900000,phase:1,nolog,pass,t:none,setvar:tx.paranoia_level=${paranoiaLevel}"
    Include ${exclusions}
    Include /usr/share/modsecurity-crs/rules/*.conf
  `);
  const child = spawn('/usr/sbin/apache2', ['-f', `${path}/apache.conf`, '-DFOREGROUND'], { stdio: 'inherit' });
  stack.defer(() => endProcess(child));
  const url = `http://127.0.0.1:${port}`;
  await until('Apache listens', () => {
    if (child.exitCode !== null) throw new Error(`Apache exited with ${child.exitCode}.`);
    return fetch(url).then(() => true, () => false);
  });
  const started = stack.move();
  const auditLog = async () => (await readFile(join(path, 'audit.log'), 'utf8')).split(/^--\w+-A--$/m);
  return { url, auditLog, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

for (const paranoiaLevel of [1, 2]) {
  describe(`a firewall with the core rule set at paranoia level ${paranoiaLevel}`, () => {
    const service = suiteResource(() => startEmulatedService({ redirectUris: [REDIRECT_URI] }));
    const bff = suiteResource(() => startProcess(bffEnvironment(service(), PUBLIC_URL, { VESTIBULE_STORE: 'memory:' })));
    const apache = suiteResource(() => startApache(bff().origin, paranoiaLevel));

    function browser(): ReaderClient {
      const reader = new ReaderClient({
        server: apache().url, path: '/vestibule', origin: ORIGIN, redirectUri: REDIRECT_URI, service: service(),
      });
      reader.agent.set({ Host: HOST, 'User-Agent': 'Mozilla/5.0', Accept: '*/*', Referer: ARTICLE });
      return reader;
    }

    it('lets readers sign in, and out', async () => {
      const reader = browser();
      await reader.signIn();
      assert.equal(await reader.state(), 'signed-in');
      expectStatus(await reader.delete('/session'), 204);
      expectStatus(await reader.authorize(`display=page&return_to=${page}`), 302);
      expectStatus(await reader.receive(reader.issueReturn()), 303);
      expectStatus(await reader.validate(), 200);
      assert.equal(await reader.state(), 'signed-in');
    });

    it('lets answers, comments and addresses of articles pass', async () => {
      const reader = browser();
      await reader.signIn();
      for (const message of messages) expectStatus(await reader.createPost(message), 201);
      const shown = { sync: 'x', username: messages[0] ?? '' };
      expectStatus(await reader.validateShown(shown, { motto: messages.join() }), 409);
      expectStatus(await reader.get(`/posts?forum=news&page=${page}`), 404);
      expectStatus(await reader.get(`/comments?forum=news&page=${page}`), 200);
    });

    it('lets edits, removals and likes pass', async () => {
      const reader = browser();
      await reader.signIn();
      // The BFF has no hooks for them.
      for (const message of messages) expectProblem(await reader.patch('/posts/7', { forum: 'news', page: ARTICLE, message }), 'not-found');
      expectProblem(await reader.delete(`/posts/7?forum=news&page=${page}`), 'not-found');
      expectProblem(await reader.put('/posts/7/like', { forum: 'news', page: ARTICLE, liked: true }), 'not-found');
    });

    it('lets cookies pass that contain "--"', async () => {
      const reader = browser().keepCookies('vestibule=s%3Avestibule.a--b-c; vestibule-sync=s%3Avestibule-sync.a--b-c');
      assert.equal(await reader.state(), 'anonymous');
    });

    it('logs failed requests without codes, cookies and comments', async () => {
      const reader = browser().keepCookies('secret=of-a-cookie');
      const { code } = reader.issueReturn();
      const before = (await apache().auditLog()).length;
      expectStatus(await reader.get(`/sync/return?code=${code}&forum=${encodeURIComponent('<script>')}`), 403);
      expectStatus(await reader.createPost('a comment'), 401);
      await until('both are logged', async () => (await apache().auditLog()).length >= before + 2);
      const log = (await apache().auditLog()).join();
      for (const secret of [code, 'of-a-cookie', 'a comment']) assert.ok(!log.includes(secret));
    });

    it('inspects everything else', async () => {
      const attack = '<script>alert(1)</script>';
      expectStatus(await browser().get(`/posts?forum=${encodeURIComponent(attack)}`), 403);
      expectStatus(await browser().get(`/session?message=${encodeURIComponent(attack)}`), 403);
      expectStatus(await browser().post('/posts', { forum: attack, message: 'Hello' }), 403);
      expectStatus(await browser().patch('/posts/7', { forum: attack, message: 'Hello' }), 403);
      expectStatus(await browser().delete('/posts'), 403);
    });
  });
}
