/** The metrics: which series there are from the start, and how many at most (contract, section 4). */

import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { describe, it } from 'node:test';
import { problemTypes, type ProblemType } from '@vestibule/shared';
import { routes, unknownRoute } from '../../packages/bff/src/http/routes.ts';
import { createMetrics } from '../../packages/bff/src/metrics.ts';
import { startBff } from '../lib/bff.ts';

const seriesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

const problems = Object.keys(problemTypes) as ProblemType[];

describe('the metrics', () => {
  it('list the outcomes of posts and sign-ins from the start, the others when they occur', async () => {
    await using bff = await startBff();
    const series = seriesOf(await bff.vestibule.metrics());
    const names = new Set(series.map((line) => /^\w+/.exec(line)?.[0]));
    assert.deepEqual([...names].toSorted(), ['vestibule_failures_total', 'vestibule_posts_total', 'vestibule_syncs_total']);
    for (const outcome of ['created', 'replayed', 'service-refused', 'outcome-unknown']) {
      assert.ok(series.includes(`vestibule_posts_total{outcome="${outcome}"} 0`), outcome);
    }
    const reader = bff.browser();
    await reader.signIn();
    await reader.createPost('Hello');
    const later = await bff.vestibule.metrics();
    for (const line of [
      'vestibule_posts_total{outcome="created"} 1',
      'vestibule_http_requests_total{route="/posts",method="POST",status="201"} 1',
      'vestibule_http_request_duration_seconds_count{route="/posts",method="POST"} 1',
      'vestibule_service_call_duration_seconds_count{operation="create-post",outcome="ok"} 1',
    ]) assert.ok(later.includes(`${line}\n`), line);
  });

  it('list no outcome that an operation cannot have', async () => {
    await using bff = await startBff();
    const text = await bff.vestibule.metrics();
    const problemsOf = (labels: string) => [...text.matchAll(new RegExp(`^vestibule_${labels}="([\\w-]+)"\\} 0$`, 'gm'))].map(([, problem = '']) => problem);
    const impossible: Readonly<Record<string, readonly ProblemType[]>> = {
      'failures_total\\{operation="sign-in",problem': ['not-found', 'message-too-long', 'idempotency-key-reused', 'post-rejected'],
      'failures_total\\{operation="post",problem': ['not-found', 'untrusted-return-uri', 'code-already-used', 'user-mismatch', 'bad-service-response'],
      'failures_total\\{operation="action",problem': ['no-sync-in-progress', 'idempotency-key-reused', 'bad-service-response'],
      'posts_total\\{outcome': ['not-found', 'cross-site-request', 'invalid-answers'],
      'syncs_total\\{outcome': ['post-rejected', 'message-too-long'],
    };
    for (const [labels, problems] of Object.entries(impossible)) {
      const listed = problemsOf(labels);
      assert.ok(listed.includes('service-unavailable'), labels);
      assert.deepEqual(problems.filter((problem) => listed.includes(problem)), [], labels);
      assert.ok(!listed.includes('method-not-allowed'), labels);
    }
    assert.deepEqual(problemsOf('failures_total\\{operation="page",problem').toSorted(), ['forum-not-allowed', 'invalid-request']);
  });

  it('have at most 1,250 series, whatever happens', async () => {
    const all = createMetrics();
    const metrics = all.ofSite('www.example.com');
    const statuses = new Set(['200', '201', '204', '302', '303', '304', 'aborted', ...Object.values(problemTypes).map(({ status }) => String(status))]);
    for (const route of [...routes.values(), unknownRoute]) {
      for (const method of METHODS) for (const status of statuses) metrics.observeRequest({ route, method, status, seconds: 1 });
    }
    for (const operation of ['token-exchange', 'create-post', 'request'] as const) {
      for (const outcome of ['ok', 'not-signed-in', 'service-refused', 'bad-service-response', 'service-unavailable', 'outcome-unknown',
        'internal-error'] as const) metrics.startCall(operation)(outcome);
    }
    for (const problem of problems) {
      for (const operation of ['sign-in', 'post', 'page', 'action'] as const) metrics.countFailure(operation, problem);
      for (const action of ['edit', 'remove', 'like'] as const) metrics.actions(action).count(problem);
    }
    for (const action of ['edit', 'remove', 'like'] as const) metrics.actions(action).count('done');
    for (const route of routes.values()) {
      for (const [method, operation] of Object.entries(route.operations)) {
        if (operation === 'action') metrics.observeRequest({ route, method, status: '410', seconds: 1 });
      }
    }
    const count = seriesOf(await all.text()).length;
    assert.ok(count <= 1_250, `${count} series`);
  });
});
