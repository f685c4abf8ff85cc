/** The proxy of the environment between the BFF and the service: `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`. */

import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { describe, it } from 'node:test';
import { createVestibule, loadConfig } from '@vestibule/bff';
import { startBff, type Bff, type BffSettings } from '../lib/bff.ts';
import { startProcess } from '../lib/bff-process.ts';
import { freePort } from '../lib/free-port.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { expectProblem, expectStatus } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { startTcpServer } from '../lib/tcp-relay.ts';
import { until } from '../lib/until.ts';
import { runCommand, runVestibule } from '../lib/vestibule-process.ts';
import { startWorld, type Environment } from './_world.ts';

describe('the outbound proxy', () => {
  const world = suiteResource(startWorld);

  /** Passes requests of `http` on; answers with `status` where it is set, also to CONNECT; 0: not at all. */
  const proxy = suiteResource(async () => {
    const seen: string[] = [];
    let status: number | undefined;
    const server = createServer((req, res) => {
      const { url = '', method = '', headers } = req;
      seen.push(`${method} ${new URL(url).origin}`);
      if (status !== undefined) return void res.writeHead(status).end();
      req.pipe(request(url, { method, headers }, (upstream) => {
        upstream.pipe(res.writeHead(upstream.statusCode ?? 502, upstream.headers));
      }));
    });
    server.on('connect', (req, socket) => {
      seen.push(`CONNECT ${req.url}`);
      if (status === 0) socket.resume().on('error', () => undefined).on('end', () => { socket.destroy(); });
      else socket.end(`HTTP/1.1 ${status ?? 500} Refused\r\nContent-Length: 0\r\n\r\n`);
    });
    const { host } = new URL(await listen(server));
    return {
      host, seen,
      answer(next: number | undefined) {
        status = next;
        seen.length = 0;
      },
      [Symbol.asyncDispose]: () => closeServer(server),
    };
  });

  /** A BFF in this process, whose variables it has until it is disposed. */
  async function startBehind(variables: Environment, settings: BffSettings = {}): Promise<Bff> {
    await using stack = new AsyncDisposableStack();
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((one) => [one, one.toLowerCase()])) {
      const { [name]: before } = process.env;
      stack.defer(() => setVariable(name, before));
      setVariable(name, variables[name]);
    }
    const bff = stack.use(await startBff(settings));
    const started = stack.move();
    return { ...bff, [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() };
  }

  function setVariable(name: string, value: string | undefined): void {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }

  const lineOf = ({ log }: Bff, msg: string) => until(`a line "${msg}"`, () => log.findLast((line) => line['msg'] === msg));

  it('leads to a service on loopback where NO_PROXY is set and empty; the start names it without its password', async () => {
    const { host, seen, answer } = proxy();
    answer(undefined);
    await using bff = await startProcess({ ...world().env, HTTP_PROXY: `http://user:canary@${host}`, NO_PROXY: '' });
    const reader = bff.browser(world().service);
    await reader.signIn();
    expectStatus(await reader.createPost('by way of'), 201);
    assert.ok(seen.includes(`POST ${world().service.url}`));
    assert.equal((await bff.process.logged('listening'))['proxy'], `http://${host}`);
    assert.doesNotMatch(bff.process.lines.join('\n'), /canary/);
  });

  for (const NO_PROXY of [undefined, 'service.example']) {
    it(`leads to no service on loopback where NO_PROXY is ${NO_PROXY ?? 'not set'}`, async () => {
      const { host, seen, answer } = proxy();
      answer(undefined);
      await using bff = await startBehind({ HTTP_PROXY: `http://${host}`, ...(NO_PROXY !== undefined && { NO_PROXY }) });
      await bff.browser().signIn();
      assert.deepEqual(seen, []);
    });
  }

  it('is named with the status that it answered, where it refuses; nothing was sent, and host:port is read as http', async () => {
    const { host, seen, answer } = proxy();
    const url = 'https://127.0.0.1:8443';
    const variables = { HTTPS_PROXY: host, NO_PROXY: '' };
    await using bff = await startBehind(variables, { serviceOptions: { publicUrl: url } });
    const reader = bff.browser();
    await reader.start();
    for (const status of [407, 403, 502]) {
      answer(status);
      expectProblem(await reader.validate(), 'service-unavailable');
      const { reason, setting } = await until(`a line with ${status}`, () => (
        bff.log.find((line) => String(line['reason']).includes(String(status)))));
      assert.deepEqual([reason, setting], [`the proxy before the service answered ${status}`, 'HTTPS_PROXY']);
      assert.deepEqual([...new Set(seen)], ['CONNECT 127.0.0.1:8443']);
    }
    answer(407);
    const { stdout } = await runCommand({ args: ['check'], env: { ...world().env, ...variables, VESTIBULE_SERVICE_URL: url } });
    assert.match(stdout, /^fail +service +unreachable \(the proxy answers 407\): check HTTPS_PROXY, VESTIBULE_SERVICE_URL/m);
  });

  it('is named where it does not connect in time', async () => {
    const { host, answer } = proxy();
    answer(0);
    await using bff = await startBehind(
      { HTTPS_PROXY: host, NO_PROXY: '' }, { serviceOptions: { publicUrl: 'https://127.0.0.1:8443' }, serviceTimeoutMs: 1_000 },
    );
    const reader = bff.browser();
    await reader.start();
    expectProblem(await reader.validate(), 'service-unavailable');
    const { reason, setting } = await lineOf(bff, 'sign-in failed');
    assert.deepEqual([reason, setting], ['the proxy did not connect to the service in time', 'HTTPS_PROXY']);
  });

  it('answers 407 to a service of http: nothing was sent', async () => {
    const { host, answer } = proxy();
    answer(undefined);
    await using bff = await startBehind({ http_proxy: `http://${host}`, NO_PROXY: '' });
    const reader = bff.browser();
    await reader.signIn();
    answer(407);
    expectProblem(await reader.createPost('not sent'), 'service-unavailable');
    const { reason, setting } = await lineOf(bff, 'post failed');
    assert.deepEqual([reason, setting], ['the proxy before the service answered 407', 'http_proxy']);
  });

  it('is named where it cannot be reached', async () => {
    await using bff = await startBehind({ HTTP_PROXY: '127.0.0.1:9', NO_PROXY: '' });
    const reader = bff.browser();
    await reader.start();
    expectProblem(await reader.validate(), 'service-unavailable');
    const { reason, setting } = await lineOf(bff, 'sign-in failed');
    assert.deepEqual([reason, setting], ['the service cannot be reached (ECONNREFUSED)', 'HTTP_PROXY or VESTIBULE_SERVICE_URL']);
  });

  for (const [failure, isListening, reason, setting] of [
    ['refuses the connection', false, 'the service cannot be reached (ECONNREFUSED)', 'VESTIBULE_SERVICE_URL'],
    ['does not finish it in time', true, 'the service did not answer in time', 'VESTIBULE_SERVICE_TIMEOUT_MS'],
  ] as const) {
    it(`is not named where NO_PROXY exempts the service, and the service ${failure}`, async () => {
      const { host, seen, answer } = proxy();
      answer(502);
      await using stack = new AsyncDisposableStack();
      // Accepts connections, and begins no TLS.
      const silent = stack.use(await startTcpServer((socket) => { socket.resume(); }));
      const url = `https://0.0.0.0:${isListening ? silent.host.split(':')[1] : await freePort()}`;
      const bff = stack.use(await startBehind(
        { HTTPS_PROXY: host, NO_PROXY: '0.0.0.0' }, { serviceOptions: { publicUrl: url }, ...(isListening && { serviceTimeoutMs: 1_000 }) },
      ));
      const reader = bff.browser();
      await reader.start();
      expectProblem(await reader.validate(), 'service-unavailable');
      const line = await lineOf(bff, 'sign-in failed');
      assert.deepEqual([line['reason'], line['setting']], [reason, setting]);
      assert.deepEqual(seen, []);
    });
  }

  it('is not named by check where NO_PROXY exempts the service', async () => {
    const url = `https://0.0.0.0:${await freePort()}`;
    const env = { ...world().env, VESTIBULE_SERVICE_URL: url, HTTPS_PROXY: proxy().host, NO_PROXY: '0.0.0.0' };
    const { stdout } = await runVestibule({ args: ['check'], env });
    assert.match(stdout, /^fail +service +unreachable \(ECONNREFUSED\): check VESTIBULE_SERVICE_URL, DNS/m);
  });

  it('is a fault of the configuration where it cannot be read, in commands and in the library', async () => {
    const unreadable = ['proxy.example', 'http://proxy.example:port', 'http//proxy.example:3128', 'ftp://proxy.example', 'http://user:p%@proxy.example:3128'];
    for (const HTTPS_PROXY of unreadable) {
      await assert.rejects(loadConfig({ ...world().env, HTTPS_PROXY }), {
        name: 'ConfigError', faults: ['HTTPS_PROXY: must be HOST:PORT or a URL, such as http://proxy.example:3128'],
      }, HTTPS_PROXY);
    }
    const { status, stderr } = await runCommand({ env: { ...world().env, HTTPS_PROXY: 'proxy.example', http_proxy: 'http//canary', PORT: 'x' } });
    assert.equal(status, 78);
    assert.deepEqual(stderr.trim().split('\n').map((line) => line.split(':')[0]), ['http_proxy', 'HTTPS_PROXY', 'PORT']);
    assert.doesNotMatch(stderr, /canary/);
    const config = await loadConfig(world().env);
    process.env['HTTPS_PROXY'] = 'proxy.example';
    try {
      await assert.rejects(createVestibule(config), { name: 'ConfigError' });
    } finally {
      delete process.env['HTTPS_PROXY'];
    }
  });
});
