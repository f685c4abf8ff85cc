import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { problemTypes } from '@vestibule/shared';
import { ProblemError } from '../http/problem-error.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { Metrics } from './metrics.ts';

const lineOf = (text: string, series: string) => text.split('\n').find((line) => line.startsWith(`${series} `));

describe('Metrics', () => {
  it('lists every series of closed label sets from the start, at 0', async () => {
    const metrics = new Metrics();
    const text = await metrics.text();
    for (const type of Object.keys(problemTypes)) {
      for (const name of ['vestibule_posts_total', 'vestibule_syncs_total']) {
        assert.equal(lineOf(text, `${name}{outcome="${type}"}`), `${name}{outcome="${type}"} 0`);
      }
    }
    for (const series of [
      'vestibule_posts_total{outcome="created"}', 'vestibule_syncs_total{outcome="accepted"}', 'vestibule_http_requests_open',
      'vestibule_http_requests_total{route="/posts",method="POST",status="201"}',
      'vestibule_http_requests_total{route="/session",method="GET",status="503"}',
      'vestibule_http_requests_total{route="/assets/*",method="GET",status="aborted"}',
      'vestibule_http_requests_total{route="other",method="other",status="404"}',
      'vestibule_http_request_duration_seconds_count{route="/sync/return",method="GET"}',
      'vestibule_service_call_duration_seconds_count{operation="create-post",outcome="outcome-unknown"}',
    ]) assert.equal(lineOf(text, series), `${series} 0`);
  });

  it('gains no series by a request of a closed list', async () => {
    const metrics = new Metrics();
    const countSeries = async () => (await metrics.text()).split('\n').filter((line) => line.startsWith('vestibule_')).length;
    const before = await countSeries();
    for (const request of [
      { route: '/session', method: 'HEAD', status: 200 }, { route: '/posts', method: 'PUT', status: 405 }, { route: 'other', method: 'GET', status: 404 },
    ]) {
      metrics.requests.began();
      metrics.requests.ended({ ...request, aborted: false, ms: 1 });
    }
    metrics.service.record({ type: 'call-ended', operation: 'token-exchange', outcome: 'service-refused', seconds: 0.1 });
    assert.equal(await countSeries(), before);
    assert.match(await metrics.text(), /^vestibule_http_requests_total\{route="\/session",method="GET",status="200"\} 1$/m);
    assert.match(await metrics.text(), /^vestibule_http_requests_open 0$/m);
  });

  it('registers in the registry of a host application, without metrics of the process', async () => {
    const registry = new Registry();
    const metrics = new Metrics(registry);
    metrics.posts.count('created');
    assert.match(await registry.metrics(), /^vestibule_posts_total\{outcome="created"\} 1$/m);
    assert.doesNotMatch(await metrics.text(), /^process_/m);
  });
});

describe('OutcomeCounter', () => {
  it('counts the outcome of an operation, or the problem of its error, and passes both on', async () => {
    const metrics = new Metrics();
    const { syncs } = metrics;
    assert.equal(await syncs.track(async () => 7, () => 'begun'), 7);
    await assert.rejects(syncs.track(async () => { throw new ProblemError('user-mismatch'); }, () => 'begun'), { type: 'user-mismatch' });
    await assert.rejects(syncs.track(async () => { throw new StoreUnavailableError(undefined); }, () => 'begun'), { name: 'StoreUnavailableError' });
    await assert.rejects(syncs.track(async () => { throw new TypeError(); }, () => 'begun'), TypeError);
    for (const outcome of ['begun', 'user-mismatch', 'service-unavailable', 'internal-error']) {
      assert.match(await metrics.text(), new RegExp(`^vestibule_syncs_total\\{outcome="${outcome}"\\} 1$`, 'm'));
    }
  });
});
