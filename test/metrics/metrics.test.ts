/** What an instance measures while readers sign in and post. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startWorld, type World } from '../security/_world.ts';

/** The value of a series, labels in any order; 0 where there is none. */
async function valueOf(world: World, name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
  for (const { series, found, value } of parse(await world.vestibule.metrics())) {
    if (series === name && Object.entries(labels).every(([label, wanted]) => found[label] === wanted)) return value;
  }
  return 0;
}

function parse(text: string) {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).map((line) => {
    const [, series = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const found = Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', word = '']) => [label, word]));
    return { series, found, value: Number(value) };
  });
}

describe('an instance', () => {
  it('counts requests by route and status, syncs and posts by outcome, calls by operation', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.signIn();
    await reader.post('Hello', 'key-number-1');
    await reader.post('Hello', 'key-number-1');
    await reader.post('Other', 'key-number-1');
    await reader.ask('/nowhere?code=canary');
    assert.equal(await valueOf(world, 'vestibule_http_requests_total', { route: '/posts', method: 'POST', status: '201' }), 2);
    assert.equal(await valueOf(world, 'vestibule_http_requests_total', { route: '/posts', status: '422' }), 1);
    assert.equal(await valueOf(world, 'vestibule_http_requests_total', { route: 'other', status: '404' }), 1);
    assert.equal(await valueOf(world, 'vestibule_http_request_duration_seconds_count', { route: '/posts', method: 'POST' }), 3);
    assert.equal(await valueOf(world, 'vestibule_http_requests_open'), 0);
    assert.equal(await valueOf(world, 'vestibule_syncs_total', { outcome: 'begun' }), 1);
    assert.equal(await valueOf(world, 'vestibule_syncs_total', { outcome: 'accepted' }), 1);
    for (const outcome of ['created', 'replayed', 'idempotency-key-reused']) {
      assert.equal(await valueOf(world, 'vestibule_posts_total', { outcome }), 1, outcome);
    }
    assert.equal(await valueOf(world, 'vestibule_service_call_duration_seconds_count', { operation: 'token-exchange', outcome: 'ok' }), 1);
    assert.equal(await valueOf(world, 'vestibule_service_call_duration_seconds_count', { operation: 'create-post', outcome: 'ok' }), 1);
    assert.ok(await valueOf(world, 'vestibule_store_operation_duration_seconds_count', { operation: 'get', result: 'ok' }) > 0);
    assert.doesNotMatch(await world.vestibule.metrics(), /canary|nowhere/);
  });

  it('counts each other end of a sync', async () => {
    await using world = await startWorld();
    const rejected = world.browser();
    await rejected.start();
    await rejected.validate({ age: 12 });
    const cancelled = world.browser();
    const { json } = await cancelled.start();
    await cancelled.ask('/sync/cancel', { method: 'POST', json: { sync: json.sync.id } });
    const declined = world.browser();
    await declined.ask('/sync/authorize?forum=news', { headers: { 'sec-fetch-site': 'same-origin' } });
    await declined.ask('/sync/return?error=access_denied');
    const granted = world.browser();
    await granted.ask('/sync/authorize?forum=news', { headers: { 'sec-fetch-site': 'same-origin' } });
    await granted.ask('/sync/return?success=1');
    await world.browser().validate();
    for (const outcome of ['rejected', 'cancelled', 'declined', 'already-granted', 'no-sync-in-progress']) {
      assert.equal(await valueOf(world, 'vestibule_syncs_total', { outcome }), 1, outcome);
    }
  });

  it('show an outage: outcomes, breaker, requests that were not sent', async () => {
    await using world = await startWorld({ serviceBreakerFailures: 2 });
    const readers = [world.browser(), world.browser()];
    for (const [i, reader] of readers.entries()) await reader.signIn({ user_id: String(i), username: 'Reader' });
    world.service.faults.always('posts', { kind: 'status', status: 502 });
    for (const reader of [...readers, ...readers]) await reader.post();
    assert.equal(await valueOf(world, 'vestibule_posts_total', { outcome: 'outcome-unknown' }), 2);
    assert.equal(await valueOf(world, 'vestibule_posts_total', { outcome: 'service-unavailable' }), 2);
    assert.equal(await valueOf(world, 'vestibule_service_breaker_state', { operation: 'create-post', state: 'open' }), 1);
    assert.equal(await valueOf(world, 'vestibule_service_breaker_state', { operation: 'create-post', state: 'closed' }), 0);
    assert.equal(await valueOf(world, 'vestibule_service_breaker_state', { operation: 'token-exchange', state: 'closed' }), 1);
    assert.equal(world.log.filter((line) => line.includes('the service does not answer')).length, 1);
  });

  it('show the clock drift, which the log reports once', async () => {
    await using world = await startWorld();
    world.service.clockOffsetMs = 4_000_000;
    const reader = world.browser();
    await reader.signIn();
    await reader.post();
    assert.ok(Math.abs(await valueOf(world, 'vestibule_service_clock_drift_seconds') - 4_000) < 2);
    assert.ok(Math.abs(await valueOf(world, 'vestibule_service_clock_correction_seconds') - 4_000) < 2);
    assert.equal(world.log.filter((line) => line.includes('clock differs')).length, 1);
  });

  it('measures the process beside it', async () => {
    await using world = await startWorld();
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'process_cpu_seconds_total']) {
      assert.match(await world.vestibule.metrics(), new RegExp(`^${name} `, 'm'));
    }
  });

  it('has counts of its own', async () => {
    await using one = await startWorld();
    await using other = await startWorld();
    await one.browser().state();
    assert.equal(await valueOf(one, 'vestibule_http_requests_total', { route: '/session' }), 1);
    assert.equal(await valueOf(other, 'vestibule_http_requests_total', { route: '/session' }), 0);
  });

  it('gains no label by a request', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.signIn();
    const wordsOf = async () => new Set(parse(await world.vestibule.metrics())
      .filter(({ series }) => series.startsWith('vestibule_'))
      .flatMap(({ found }) => Object.entries(found).filter(([label]) => label !== 'le').map(([, word]) => word)));
    const before = await wordsOf();
    for (let i = 0; i < 20; i += 1) {
      await reader.ask(`/invented-${i}`, { method: i % 2 === 0 ? 'GET' : 'PUT' });
      await reader.post(`Invented ${i}`, `invented-key-${i}`);
    }
    assert.deepEqual(await wordsOf(), before);
  });
});
