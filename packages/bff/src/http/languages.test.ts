import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { languagesOf } from './request-input.ts';
import { serve } from './_serve.ts';

const serveLanguages = () => serve((req, res) => { res.json(languagesOf(req)); });

describe('languagesOf', () => {
  it('lists the tags of Accept-Language, best first', async () => {
    await using served = await serveLanguages();
    const ask = async (header: string) => (await served.request.get('/').set('Accept-Language', header)).body as unknown;
    assert.deepEqual(await ask('en;q=0.5, de-AT, de;q=0.9'), ['de-AT', 'de', 'en']);
    assert.deepEqual(await ask('zh-Hant-TW'), ['zh-Hant-TW']);
  });

  it('leaves out what is no language tag, and what is not wanted', async () => {
    await using served = await serveLanguages();
    const ask = async (header: string) => (await served.request.get('/').set('Accept-Language', header)).body as unknown;
    assert.deepEqual(await ask('*, "><script>, de;q=0, fr, __proto__, x'), ['fr']);
    assert.deepEqual(await ask(''), []);
  });

  it('reads no more than ten', async () => {
    await using served = await serveLanguages();
    const header = Array.from({ length: 500 }, (_, i) => `${String.fromCharCode(97 + i % 26)}${String.fromCharCode(97 + Math.floor(i / 26))}`).join();
    assert.equal(((await served.request.get('/').set('Accept-Language', header)).body as string[]).length, 10);
  });
});
