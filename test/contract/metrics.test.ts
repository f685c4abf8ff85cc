/** The metrics: what begins a series, and how many there are at most (contract, section 4). */

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
  it('begin a series with its first event', async () => {
    await using bff = await startBff();
    assert.deepEqual(seriesOf(await bff.vestibule.metrics()), []);
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

  it('have at most 1,250 series, whatever happens', async () => {
    const metrics = createMetrics();
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
    const count = seriesOf(await metrics.text()).length;
    assert.ok(count <= 1_250, `${count} series`);
  });
});
