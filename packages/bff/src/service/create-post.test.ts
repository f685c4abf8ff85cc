import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { postOf, responseOf } from './create-post.ts';
import type { ServiceAnswer } from './service-http.ts';

function answer(status: number, body: unknown, contentType = 'application/json'): ServiceAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: { 'content-type': contentType }, body: Buffer.from(text ?? '') };
}

describe('responseOf', () => {
  it('unwraps the envelope of a success, and takes any other success as it is', () => {
    assert.deepEqual(responseOf(answer(200, { code: 0, response: { id: '1' } })), { id: '1' });
    assert.deepEqual(responseOf(answer(201, { id: '1' })), { id: '1' });
    assert.deepEqual(responseOf(answer(200, { code: '0', response: 1 })), { code: '0', response: 1 });
    assert.deepEqual(responseOf(answer(200, [1])), [1]);
    assert.equal(responseOf(answer(204, '')), undefined);
  });

  it('is not-signed-in for a token that is no longer good', () => {
    for (const bad of [answer(401, { code: 18, response: 'expired' }), answer(200, { code: 18, response: 'expired' }), answer(401, 'nonsense', 'text/plain'), answer(401, '')]) {
      assert.throws(() => responseOf(bad), { type: 'not-signed-in' });
    }
  });

  it('is service-refused, and nobody is signed out, where the service refuses our key or signature', () => {
    assert.throws(() => responseOf(answer(401, { code: 5, response: 'Invalid API key' })), { type: 'service-refused' });
  });

  it('is service-refused, with the message, for a code other than 0 under any status', () => {
    for (const status of [200, 400, 403, 404, 500, 502]) {
      assert.throws(() => responseOf(answer(status, { code: 12, response: 'No more today' })), { type: 'service-refused', detail: /: No more today$/ }, String(status));
    }
  });

  it('is service-refused without words for a refusal in another form', () => {
    for (const bad of [answer(400, '<script>', 'text/html'), answer(403, ''), answer(404, { error: 'canary' })]) {
      assert.throws(() => responseOf(bad), { type: 'service-refused', detail: 'The comment service refused the request.' });
    }
  });

  it('is outcome-unknown for a broken gateway and service-unavailable for being sent away', () => {
    for (const status of [500, 502, 504]) assert.throws(() => responseOf(answer(status, '<html>', 'text/html')), { type: 'outcome-unknown' });
    for (const status of [429, 503]) assert.throws(() => responseOf(answer(status, { code: 13, response: 'slow down' })), { type: 'service-unavailable' });
  });

  it('is bad-service-response for a success that cannot be understood, and for a redirect', () => {
    for (const bad of [answer(200, '<script>', 'text/html'), answer(200, '{'), answer(302, ''), answer(307, { code: 0, response: {} })]) {
      assert.throws(() => responseOf(bad), { type: 'bad-service-response' });
    }
  });
});

describe('postOf', () => {
  it('gives the post, and an empty one where the success says nothing of it', () => {
    assert.deepEqual(postOf(answer(200, { code: 0, response: { id: '1' } })), { id: '1' });
    for (const nothing of [answer(200, ''), answer(200, { code: 0, response: 'ok' }), answer(200, []), answer(200, 5)]) assert.deepEqual(postOf(nothing), {});
  });
});
