import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { queryOf } from './query.ts';
import { serve } from './_serve.ts';

describe('queryOf', () => {
  it('keeps duplicates apart and nests nothing', async () => {
    await using served = await serve((req, res) => { res.json([...queryOf(req)]); });
    const ask = async (query: string) => (await served.request.get(`/${query}`)).body as unknown;
    assert.deepEqual(await ask('?a=1&a=2&b[c]=3&__proto__[x]=4&d=%F0%9F%A6%8A+&e=%zz?'), [
      ['a', '1'], ['a', '2'], ['b[c]', '3'], ['__proto__[x]', '4'], ['d', '🦊 '], ['e', '%zz?'],
    ]);
    assert.deepEqual(await ask(''), []);
    assert.deepEqual(await ask('?'), []);
  });
});
