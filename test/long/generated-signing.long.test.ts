import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSigner } from '@vestibule/bff';
import { expectedMac, parseMacHeader } from '../service/index.ts';
import { Random } from './_random.ts';
import { shareOf } from './_share.ts';

const CASES = shareOf(400_000);

describe('signing', () => {
  it(`agrees with the emulated service's own in ${CASES} generated cases`, () => {
    const random = new Random(1);
    for (let i = 0; i < CASES; i += 1) {
      const key = random.text(90) || 'key';
      const params = random.times(6, () => [random.text(8), random.text(24)] as const);
      const url = new URL(addressOf(random));
      const method = random.of(['POST', 'post', 'PUT', 'DELETE']);
      const signed = createSigner({ publicKey: 'public', secretKey: key }).sign({ method, url, params });
      const expected = expectedMac({
        method: method.toUpperCase(),
        path: url.pathname + url.search,
        host: url.hostname,
        port: url.port || (url.protocol === 'https:' ? 443 : 80),
        nonce: signed.nonce,
        params,
        key,
      });
      const { mac, bodyHash } = parseMacHeader(signed.authorization);
      if (signed.body === expected.normalized && mac === expected.mac && bodyHash === expected.bodyHash) continue;
      assert.fail(`case ${i}: ${JSON.stringify({ method, address: url.href, params, key })}`);
    }
  });
});

function addressOf(random: Random): string {
  const origin = `${random.of(['http', 'https'])}://${random.of(['service.example', 'SERVICE.example', '127.0.0.1', 'bücher.example'])}`;
  const port = random.of(['', ':80', ':443', ':8443']);
  const path = encodeURI(random.text(12)).replace(/%00|[?#\\]/g, '');
  const query = random.chance(0.3) ? `?${encodeURIComponent(random.text(6))}=${encodeURIComponent(random.text(6))}` : '';
  return `${origin}${port}/${path}${query}`;
}
