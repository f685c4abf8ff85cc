/** A trace goes through: from the requester's `traceparent` into the log and on to the service. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startWorld } from '../security/_world.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('a trace', () => {
  it('reaches the service with a span of the BFF, and the request\'s line in the log', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.signIn();
    const traced = { 'idempotency-key': 'key-number-1', traceparent: `00-${TRACE}-${PARENT}-01` };
    await reader.ask('/posts', { method: 'POST', headers: traced, json: { forum: 'news', message: 'Hello' } });
    const post = world.service.requests.find(({ endpoint }) => endpoint === 'posts');
    assert.match(post?.headers['traceparent']?.[0] ?? '', new RegExp(`^00-${TRACE}-(?!${PARENT})[\\da-f]{16}-01$`));
    const line = world.log.map((text) => JSON.parse(text) as Record<string, unknown>).find(({ trace_id }) => trace_id === TRACE);
    assert.equal(line?.['route'], '/posts');
  });

  it('is not created by the BFF', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.signIn();
    await reader.ask('/posts', { method: 'POST', headers: { 'idempotency-key': 'key-number-2', traceparent: 'nonsense' }, json: { forum: 'news', message: 'x' } });
    assert.ok(world.service.requests.every(({ headers }) => headers['traceparent'] === undefined));
    assert.ok(world.log.every((text) => !text.includes('trace_id')));
  });

  it('has the problem of a failure in the request\'s line', async () => {
    await using world = await startWorld();
    await world.browser().post();
    assert.ok(world.log.some((text) => text.includes('"route":"/posts","status":401') && text.includes('"problem":"not-signed-in"')));
  });
});
