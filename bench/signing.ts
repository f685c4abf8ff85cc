/** A signed request with two parameters and a body of 200 bytes, in CPU time. The baseline is the two digests alone. hawk and
 *  oauth-1.0a sign the same request in their own schemes, as their documentation shows. */

import { createHash, createHmac } from 'node:crypto';
import { client as hawk } from 'hawk';
import OAuth from 'oauth-1.0a';
import { createSigner } from '../packages/bff/src/signing/sign-request.ts';
import { rowOf, type BenchOptions, type Row } from './rows.ts';

const BASELINE = 'createHash + createHmac';
const SLICE_MS = 40;
const BATCH = 200;

const publicKey = 'fca519c9211a4022abaed1915abffd11';
const secretKey = '88bb61a451cf4796859df6f0eeec5249';
const accessToken = '0f2d3c6f8a1b4e5f9a7c6d5e4f3a2b1c';
const url = new URL('https://comments.example.com/api/3.0/posts/create.json');
const forum = 'news';
const message = "That's the clearest account of it I've read so far (and there were many). "
  + 'And who pays for the harbour, though? Thanks all!';

export async function benchSigning({ quick }: BenchOptions): Promise<readonly Row[]> {
  const signer = createSigner({ publicKey, secretKey });
  const params = [['forum', forum], ['message', message]] as const;
  const { body = '', requestString } = signer.sign({ method: 'POST', url, params, accessToken });
  const oauth = new OAuth({
    consumer: { key: publicKey, secret: secretKey },
    signature_method: 'HMAC-SHA1',
    hash_function: (text, key) => createHmac('sha1', key).update(text).digest('base64'),
  });
  const credentials = { id: publicKey, key: secretKey, algorithm: 'sha1' } as const;
  const contenders: Readonly<Record<string, () => unknown>> = {
    [BASELINE]: () => createHash('sha1').update(body).digest('base64') + createHmac('sha1', secretKey).update(requestString).digest('base64'),
    ours: () => signer.sign({ method: 'POST', url, params, accessToken }),
    hawk: () => hawk.header(url.href, 'POST', { credentials, payload: body, contentType: 'application/x-www-form-urlencoded' }),
    'oauth-1.0a': () => oauth.toHeader(oauth.authorize({ url: url.href, method: 'POST', data: { forum, message } }, { key: accessToken, secret: '' })),
  };
  const figures = Object.fromEntries(Object.keys(contenders).map((name) => [name, [] as number[]]));
  for (let round = -1; round < (quick ? 5 : 21); round += 1) {
    for (const [name, operation] of Object.entries(contenders)) {
      const figure = operationsPerSecond(operation);
      if (round >= 0) figures[name]?.push(figure);
    }
  }
  return Object.entries(figures).map(([name, values]) => rowOf(`signing: ${name}`, 'ops/s', values, BASELINE, figures[BASELINE]));
}

/** What the last operation gave, so that none is optimized away. */
const kept: { result?: unknown } = {};

function operationsPerSecond(operation: () => unknown): number {
  const startedAt = cpuMs();
  let done = 0;
  for (; cpuMs() - startedAt < SLICE_MS; done += BATCH) {
    for (let i = 0; i < BATCH; i += 1) kept.result = operation();
  }
  return done / (cpuMs() - startedAt) * 1000;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
