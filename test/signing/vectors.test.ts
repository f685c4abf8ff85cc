import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authorizationHeader, bodyHash, computeMac, createNonce, normalizedRequestString, normalizeParams, signRequest } from '@vestibule/bff';
import { expectedMac, parseMacHeader } from '../service/index.ts';
import { macVectors } from './mac-signing.ts';

describe('the published vectors', () => {
  for (const vector of macVectors) {
    const { id, key, nonce, method, path, host, port, params } = vector;

    it(`agree step by step with the product: ${vector.name}`, () => {
      const normalized = params === null ? '' : normalizeParams(params);
      assert.equal(normalized, vector.normalized);
      assert.equal(params === null ? '' : bodyHash(normalized), vector.bodyHash);
      const requestString = normalizedRequestString({ nonce, method, path, host, port, bodyHash: vector.bodyHash });
      assert.equal(requestString, vector.requestString);
      assert.equal(computeMac(requestString, key), vector.mac);
    });

    it(`agree from end to end, through the nonce and the header: ${vector.name}`, () => {
      const [seconds = '', token = ''] = nonce.split(':');
      const source = { now: () => Number(seconds) * 1000, randomToken: () => token };
      assert.equal(createNonce(source), nonce);
      const signed = signRequest(
        { method: method.toLowerCase(), url: new URL(`http://${host.toUpperCase()}${path}`), ...(params && { params }) },
        { publicKey: id, secretKey: key, ...source },
      );
      assert.equal(signed.authorization, authorizationHeader({ id, nonce, bodyHash: vector.bodyHash, mac: vector.mac }));
      if (params) assert.equal(parseMacHeader(signed.authorization).mac, vector.mac);
    });

    it(`agree with the emulated service: ${vector.name}`, () => {
      const { normalized, bodyHash: hash, requestString, mac } = vector;
      const steps = expectedMac({ method, path, host, port, nonce, params, key });
      assert.deepEqual(steps, { normalized, bodyHash: hash, requestString, mac });
    });
  }
});
