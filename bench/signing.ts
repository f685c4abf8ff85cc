/** Signing a request with two parameters and a body of 200 bytes. The baseline is the two digests alone, with `createHash` and
 *  `createHmac`. The peers sign the same request in their own schemes, as their documentation shows. */

import { createHash, createHmac } from 'node:crypto';
import { client as hawk } from 'hawk';
import OAuth from 'oauth-1.0a';
import { createSigner } from '@vestibule/bff';
import { median } from '../lib/median.ts';
import type { BenchRow } from './_row.ts';
import { measureRounds, ratiosOf } from './_rounds.ts';
import { renderTable } from './_table.ts';

const BASELINE = 'createHash + createHmac';
const OURS = 'signing: ours';
const HAWK = 'signing: hawk';

const publicKey = 'fca519c9211a4022abaed1915abffd11';
const secretKey = '88bb61a451cf4796859df6f0eeec5249';
const accessToken = '0f2d3c6f8a1b4e5f9a7c6d5e4f3a2b1c';
const url = new URL('https://comments.example.com/api/3.0/posts/create.json');
const forum = 'news';
const message = "That's the clearest account of it I've read so far (and there were many). "
  + 'And who pays for the harbour, though? Thanks all!';

export function benchSigning(): readonly BenchRow[] {
  const signer = createSigner({ publicKey, secretKey });
  const params = [['forum', forum], ['message', message]] as const;
  const { body, requestString } = signer.sign({ method: 'POST', url, params, accessToken });
  if (body?.length !== 200) throw new Error(`The body is to be 200 bytes long, not ${body?.length}.`);

  const oauth = new OAuth({
    consumer: { key: publicKey, secret: secretKey },
    signature_method: 'HMAC-SHA1',
    hash_function: (text, key) => createHmac('sha1', key).update(text).digest('base64'),
  });
  const hawkOptions = {
    credentials: { id: publicKey, key: secretKey, algorithm: 'sha1' },
    payload: body,
    contentType: 'application/x-www-form-urlencoded',
  } as const;

  const figures = measureRounds({
    [BASELINE]: () => createHash('sha1').update(body).digest('base64')
      + createHmac('sha1', secretKey).update(requestString).digest('base64'),
    [OURS]: () => signer.sign({ method: 'POST', url, params, accessToken }),
    [HAWK]: () => hawk.header(url.href, 'POST', hawkOptions),
    'signing: oauth-1.0a': () => oauth.toHeader(oauth.authorize(
      { url: url.href, method: 'POST', data: { forum, message } }, { key: accessToken, secret: '' },
    )),
  });

  const rows = Object.entries(figures).map(([name, values]) => rowOf(name, values, BASELINE, figures[BASELINE]));
  const toHawk = rowOf(OURS, figures[OURS], HAWK, figures[HAWK]);
  return [...rows, toHawk];
}

function rowOf(name: string, values: readonly number[], baseline: string, baselineValues: readonly number[]): BenchRow {
  const ratios = ratiosOf(values, baselineValues);
  return {
    name, value: median(values), unit: 'ops/s', ratio: median(ratios), baseline, spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

if (import.meta.main) console.log(renderTable(benchSigning()));
