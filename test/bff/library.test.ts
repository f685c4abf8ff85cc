/** `createVestibule` in applications of other people's (contract, section 3: as a library). */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { describe, it } from 'node:test';
import express from 'express';
import supertest from 'supertest';
import { ConfigError, createVestibule, defineConfig, type Vestibule, type VestibuleConfig } from '@vestibule/bff';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { startBff } from './_bff.ts';

const config: VestibuleConfig = {
  serviceUrl: 'http://127.0.0.1:9',
  publicKey: 'public-key',
  secretKey: 'secret-key',
  forums: ['news'],
  publicUrl: 'http://127.0.0.1/vestibule',
  cookieSecrets: [COOKIE_SECRET],
  store: 'memory:',
  logLevel: 'silent',
};

/** Serves `listener` while `test` asks. */
async function serving(listener: RequestListener, test: (request: ReturnType<typeof supertest>) => Promise<void>): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await test(supertest(server));
  } finally {
    const closed = once(server, 'close');
    server.close();
    await closed;
  }
}

async function stateOf(request: ReturnType<typeof supertest>, path: string): Promise<string> {
  return (await request.get(path)).body.state as string;
}

describe('createVestibule', () => {
  it('is mounted under a path among the routes of an application', async () => {
    await using vestibule = await createVestibule(config);
    const app = express().use('/vestibule', vestibule.router);
    app.get('/article', (_req, res) => { res.send('article'); });
    await serving(app, async (request) => {
      assert.equal(await stateOf(request, '/vestibule/session'), 'anonymous');
      assert.equal((await request.get('/article')).text, 'article');
      assert.equal((await request.get('/vestibule/healthz')).status, 200);
      assert.equal((await request.get('/healthz')).status, 404);
    });
  });

  it('gives a handler for node:http', async () => {
    await using vestibule = await createVestibule({ ...config, publicUrl: 'http://127.0.0.1' });
    await serving((req, res) => { void vestibule.router(req, res); }, async (request) => {
      assert.equal(await stateOf(request, '/session'), 'anonymous');
      assert.equal((await request.get('/nothing')).type, 'application/problem+json');
    });
  });

  it('is not disturbed by the parsers and settings of the application around it', async () => {
    await using bff = await startBff();
    const app = express();
    app.set('query parser', 'extended').set('etag', 'strong').set('trust proxy', true);
    app.use(express.json(), express.urlencoded({ extended: true }), (req, _res, next) => {
      Object.assign(req, { secret: 'another secret', cookies: { vestibule: 'x' }, signedCookies: { vestibule: 'x' } });
      next();
    });
    app.use('/vestibule', bff.vestibule.router);
    await serving(app, async (request) => {
      const started = await request.post('/vestibule/sync').set('Origin', bff.origin).send(bff.browser().issueReturn());
      assert.equal(started.status, 201, started.text);
      const [cookie = ''] = started.headers['set-cookie'] as unknown as string[];
      const session = await request.get('/vestibule/session').set('Cookie', cookie.split(';')[0] ?? '');
      assert.equal((session.body as { state: string }).state, 'validating');
      assert.equal(session.headers['etag'], undefined);
    });
  });

  it('lives beside another in one process, each with its own readers', async () => {
    await using one = await startBff();
    await using other = await startBff();
    const browser = one.browser();
    await browser.signIn();
    const cookie = `vestibule=${browser.cookie('vestibule')}`;
    assert.equal((await other.browser().get('/session').set('Cookie', cookie)).body.state, 'anonymous');
    assert.equal((await browser.session()).state, 'signed-in');
  });

  it('refuses a configuration with faults, all named', async () => {
    await assert.rejects(createVestibule({ ...config, forums: [], publicKey: '"' }), (error: ConfigError) => {
      assert.ok(error instanceof ConfigError);
      assert.deepEqual(error.faults.map((fault) => fault.split(':')[0]), ['publicKey', 'forums']);
      return true;
    });
  });

  it('leaves nothing running when it is closed, twice even', async () => {
    const vestibule: Vestibule = await createVestibule(config);
    await vestibule.close();
    await vestibule.close();
    const timers = process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout');
    assert.ok(timers.length <= 1, String(timers.length));
  });
});

describe('defineConfig', () => {
  it('types what it returns', () => {
    const { forums } = defineConfig({ forums: ['news'] });
    assert.deepEqual(forums, ['news']);
  });
});
