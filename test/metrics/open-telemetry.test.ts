/** OpenTelemetry, where the operator loads it before `vestibule serve`: its SDK and its instrumentations. */

import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { VestibuleProcess } from '../lib/vestibule-process.ts';
import { ask, type Timed } from '../load/_ask.ts';
import { LoadReader } from '../load/_reader.ts';
import { ORIGIN, REDIRECT_URI, startProcessWorld, type ProcessWorld } from '../process/_service.ts';

const PARENT = '00f067aa0ba902b7';

describe('instrumentation that was loaded before the BFF', () => {
  let world: ProcessWorld;
  let bff: VestibuleProcess;
  let url: string;
  const agent = new Agent({ keepAlive: true });
  before(async () => {
    world = await startProcessWorld();
    bff = new VestibuleProcess({
      env: { ...world.env, VESTIBULE_SERVICE_MAX_IN_FLIGHT: '1' },
      nodeArgs: ['--import', new URL('_open-telemetry-process.ts', import.meta.url).href],
    });
    url = `${await bff.origin()}/vestibule`;
  });
  after(async () => {
    agent.destroy();
    await bff[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  const lines = () => bff.lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const spansOf = (kind: string, trace?: string) => lines().filter((line) => (
    line['msg'] === 'span' && line['kind'] === kind && (trace === undefined || line['trace'] === trace)
  ));

  /** A span is told when it ends. */
  const answeredIn = (trace: string) => (
    bff.loggedWhere('the request\'s span', ({ kind, trace: of }) => kind === 'server' && of === trace)
  );

  async function signedIn(): Promise<LoadReader> {
    const reader = new LoadReader({ url, origin: ORIGIN, redirectUri: REDIRECT_URI, agent });
    await reader.signIn(world.service, world.service.readers[0] as (typeof world.service.readers)[number]);
    return reader;
  }

  function post({ cookie }: LoadReader, trace: string): Promise<Timed> {
    const headers = { origin: ORIGIN, cookie, 'idempotency-key': `key-${trace}`, traceparent: `00-${trace}-${PARENT}-01` };
    return ask(`${url}/posts`, { agent, method: 'POST', headers, json: { forum: 'news', message: trace } });
  }

  /** What the service was sent as `traceparent` with the post of that trace. */
  function sentWith(trace: string): readonly string[] | undefined {
    return world.service.requests.find(({ endpoint, body }) => endpoint === 'posts' && body.includes(trace))?.headers['traceparent'];
  }

  it('sees the requests of readers and, as their children, the calls to the service', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    assert.equal((await post(await signedIn(), trace)).status, 201);
    await answeredIn(trace);
    const [server] = spansOf('server', trace);
    const [client, ...more] = spansOf('client', trace);
    assert.deepEqual([server?.['parent'], client?.['parent'], more], [PARENT, server?.['id'], []]);
    assert.deepEqual(sentWith(trace), [`00-${trace}-${String(client?.['id'])}-01`]);
    assert.equal(spansOf('client').length, world.service.requests.length);
  });

  it('has a call that waited for another to end in its own trace', async () => {
    const reader = await signedIn();
    const traces = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(32));
    world.service.faults.next('posts', { kind: 'delay', delayMs: 200 });
    const answers = await Promise.all(traces.map((trace) => post(reader, trace)));
    assert.deepEqual(answers.map(({ status }) => status), [201, 201, 201, 201]);
    await Promise.all(traces.map((trace) => answeredIn(trace)));
    for (const trace of traces) {
      assert.equal(spansOf('client', trace)[0]?.['parent'], spansOf('server', trace)[0]?.['id']);
      assert.match(sentWith(trace)?.join() ?? '', new RegExp(`^00-${trace}-[\\da-f]{16}-01$`));
    }
  });

  it('finds its trace in the line of the request', async () => {
    const trace = 'e'.repeat(32);
    await post(await signedIn(), trace);
    await bff.kill('SIGTERM');
    assert.deepEqual(lines().filter((line) => line['trace_id'] === trace).map((line) => line['route']), ['/posts']);
  });
});
