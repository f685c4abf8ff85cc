import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { Admission } from './admission.ts';
import { done, serve } from './_serve.ts';

/** A response in progress to a request that was admitted. */
function admitted(admission: Admission): PassThrough {
  const res = new PassThrough();
  let isPassedOn = false;
  admission.admit({} as Request, res as unknown as Response, () => { isPassedOn = true; });
  assert.ok(isPassedOn);
  return res;
}

describe('Admission', () => {
  it('admits requests until it is closed', async () => {
    const admission = new Admission();
    await using served = await serve(admission.admit, done);
    assert.equal(admission.isClosed, false);
    assert.equal((await served.request.get('/')).status, 204);
    await admission.close();
    assert.equal(admission.isClosed, true);
    const { status, headers, body } = await served.request.get('/');
    assert.deepEqual([status, headers['retry-after'], (body as { detail: string }).detail], [
      503, '2', 'Comments are restarting. Nothing was sent; please try again in a moment.',
    ]);
  });

  it('is closed when the responses in progress are finished or aborted', async () => {
    const admission = new Admission();
    const [finished, aborted] = [admitted(admission), admitted(admission)];
    let isIdle = false;
    const closed = admission.close().then(() => { isIdle = true; });
    finished.resume().end();
    await once(finished, 'close');
    await turn();
    assert.equal(isIdle, false);
    aborted.destroy();
    await closed;
  });
});
