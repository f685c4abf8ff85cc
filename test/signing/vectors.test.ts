/** The published vectors, step by step and from end to end. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  authorizationHeader, bodyHash, computeMac, createNonce, createSigner, normalizedRequestString, normalizeParams,
} from '../../packages/bff/src/signing/sign-request.ts';
import { expectedMac } from '../service/index.ts';
import { macVectors } from './mac-signing.ts';

describe('the published vectors', () => {
  for (const vector of macVectors) {
    const { id, key, nonce, method, path, host, port, params } = vector;

    it(`agree with each step of the product: ${vector.name}`, () => {
      const normalized = params === null ? '' : normalizeParams(params);
      const hash = params === null ? '' : bodyHash(normalized);
      const requestString = normalizedRequestString({ nonce, method, path, host, port, bodyHash: hash });
      assert.deepEqual({ normalized, bodyHash: hash, requestString, mac: computeMac(requestString, key) }, {
        normalized: vector.normalized, bodyHash: vector.bodyHash, requestString: vector.requestString, mac: vector.mac,
      });
      const [seconds = '', token = ''] = nonce.split(':');
      const source = { now: () => Number(seconds) * 1000, randomToken: () => token };
      assert.equal(createNonce(source), nonce);
      const signed = createSigner({ publicKey: id, secretKey: key, ...source })
        .sign({ method: method.toLowerCase(), url: new URL(`http://${host.toUpperCase()}${path}`), ...(params && { params }) });
      assert.equal(signed.authorization, authorizationHeader({ id, nonce, bodyHash: vector.bodyHash, mac: vector.mac }));
    });

    it(`agree with the emulated service: ${vector.name}`, () => {
      const { normalized, bodyHash: hash, requestString, mac } = vector;
      const steps = expectedMac({ method, path, host, port, nonce, params, key });
      assert.deepEqual(steps, { normalized, bodyHash: hash, requestString, mac });
    });
  }
});
