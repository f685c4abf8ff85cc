import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { compareSignature, type ComparedRequest } from './compare.ts';
import type { MacHeader } from './parse-mac-header.ts';

const keys = { publicKey: 'public-key', secretKey: '88bb61a451cf4796859df6f0eeec5249' };
const NONCE = '1306976351.26:289807';

const post: ComparedRequest = {
  method: 'POST',
  url: new URL('https://comments.example/base/api/create.json'),
  params: [['message', 'hello world! ü'], ['forum', 'news'], ['forum-b', '\u{1f98a}'], ['forum-c', '\uff01']],
};
const NORMALIZED = 'forum-b=%F0%9F%A6%8A&forum-c=%EF%BC%81&forum=news&message=hello%20world%21%20%C3%BC';

const sha1 = (text: string) => createHash('sha1').update(text).digest('base64');
const elements = (bodyHash = sha1(NORMALIZED)) => [NONCE, 'POST', '/base/api/create.json', 'comments.example', '443', bodyHash, ''];
const stringOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
const hmac = (text: string, key: string | Buffer = keys.secretKey) => createHmac('sha1', key).update(text).digest('base64');

function theirs(changes: Partial<MacHeader> = {}): MacHeader {
  return { id: keys.publicKey, nonce: NONCE, bodyHash: sha1(NORMALIZED), mac: hmac(stringOf(elements())), ...changes };
}

describe('compareSignature', () => {
  it('agrees with a signature made by the interface', () => {
    assert.equal(compareSignature(post, theirs(), keys), undefined);
    const get = { method: 'get', url: new URL('http://example.com/resource/1?b=1&a=2'), params: undefined };
    const mac = hmac(stringOf([NONCE, 'GET', '/resource/1?b=1&a=2', 'example.com', '80', '', '']));
    assert.equal(compareSignature(get, theirs({ bodyHash: '', mac }), keys), undefined);
  });

  for (const [mistake, hashed] of [
    [/space is encoded as \+/, 'forum-b=%F0%9F%A6%8A&forum-c=%EF%BC%81&forum=news&message=hello+world%21+%C3%BC'],
    [/encodeURIComponent/, 'forum-b=%F0%9F%A6%8A&forum-c=%EF%BC%81&forum=news&message=hello%20world!%20%C3%BC'],
    [/lower case/, 'forum-b=%f0%9f%a6%8a&forum-c=%ef%bc%81&forum=news&message=hello%20world%21%20%c3%bc'],
    [/not sorted/, 'message=hello%20world%21%20%C3%BC&forum=news&forum-b=%F0%9F%A6%8A&forum-c=%EF%BC%81'],
    [/sorted by name only/, 'forum=news&forum-b=%F0%9F%A6%8A&forum-c=%EF%BC%81&message=hello%20world%21%20%C3%BC'],
    [/nothing is encoded/, 'forum-b=\u{1f98a}&forum-c=\uff01&forum=news&message=hello world! ü'],
    [/as JSON/, '{"message":"hello world! ü","forum":"news","forum-b":"\u{1f98a}","forum-c":"\uff01"}'],
    [/ends in a newline/, `${NORMALIZED}\n`],
    [/empty text/, ''],
  ] as const) {
    it(`explains a difference in step 2: ${mistake.source.replaceAll('\\', '')}`, () => {
      const bodyHash = sha1(hashed);
      const mismatch = compareSignature(post, theirs({ bodyHash, mac: hmac(stringOf(elements(bodyHash))) }), keys);
      assert.equal(mismatch?.step, 2);
      assert.match(mismatch?.message ?? '', mistake);
    });
  }

  it('explains pairs sorted by UTF-16 code units, and pairs encoded before sorting', () => {
    const utf16 = { ...post, params: [['a', '\uff01'], ['a', '\u{1f98a}']] as const };
    const wrong = theirs({ bodyHash: sha1('a=%F0%9F%A6%8A&a=%EF%BC%81') });
    assert.match(compareSignature(utf16, wrong, keys)?.message ?? '', /UTF-16/);
    const encoded = { ...post, params: [['a', '~'], ['a', 'é']] as const };
    assert.match(compareSignature(encoded, theirs({ bodyHash: sha1('a=%C3%A9&a=~') }), keys)?.message ?? '', /encoded before they are sorted/);
  });

  it('explains other forms of the body hash', () => {
    for (const [mistake, bodyHash] of [
      [/hexadecimal/, createHash('sha1').update(NORMALIZED).digest('hex')],
      [/base64url/, createHash('sha1').update(NORMALIZED).digest('base64url')],
      [/SHA-256/, createHash('sha256').update(NORMALIZED).digest('base64')],
      [/it is empty/, ''],
      [/parameters differ/, sha1('something else')],
    ] as const) assert.match(compareSignature(post, theirs({ bodyHash }), keys)?.message ?? '', mistake);
  });

  it('differs at step 3 if the nonce is malformed', () => {
    for (const nonce of ['now:abc', '1306976351', ':abc', `1306976351:${'x'.repeat(33)}`, '1306976351:']) {
      assert.equal(compareSignature(post, theirs({ nonce }), keys)?.step, 3, nonce);
    }
  });

  const [nonce, method, path, host, port, hash] = elements() as [string, string, string, string, string, string];
  for (const [mistake, text] of [
    [/newline after the empty extension/, stringOf(elements()).slice(0, -1)],
    [/last newlines/, stringOf(elements()).slice(0, -2)],
    [/CR LF/, stringOf(elements()).replaceAll('\n', '\r\n')],
    [/method is in lower case/, stringOf([nonce, 'post', path, host, port, hash, ''])],
    [/port is 80/, stringOf([nonce, method, path, host, '80', hash, ''])],
    [/port is empty/, stringOf([nonce, method, path, host, '', hash, ''])],
    [/host includes the port/, stringOf([nonce, method, path, `${host}:443`, port, hash, ''])],
    [/complete URL/, stringOf([nonce, method, `https://${host}${path}`, host, port, hash, ''])],
    [/extra slash/, stringOf([nonce, method, `${path}/`, host, port, hash, ''])],
    [/line of the body hash is empty/, stringOf([nonce, method, path, host, port, '', ''])],
  ] as const) {
    it(`explains a difference in step 4: ${mistake.source}`, () => {
      const mismatch = compareSignature(post, theirs({ mac: hmac(text) }), keys);
      assert.equal(mismatch?.step, 4);
      assert.match(mismatch?.message ?? '', mistake);
    });
  }

  for (const [mistake, mac] of [
    [/hexadecimal instead of base64/, createHmac('sha1', keys.secretKey).update(stringOf(elements())).digest('hex')],
    [/HMAC-SHA256/, createHmac('sha256', keys.secretKey).update(stringOf(elements())).digest('base64')],
    [/decoded from hexadecimal/, hmac(stringOf(elements()), Buffer.from(keys.secretKey, 'hex'))],
    [/ends in a newline/, hmac(stringOf(elements()), `${keys.secretKey}\n`)],
    [/the key is the public key/, hmac(stringOf(elements()), keys.publicKey)],
    [/another secret key/, hmac(stringOf(elements()), 'another')],
  ] as const) {
    it(`explains a difference in step 5: ${mistake.source}`, () => {
      const mismatch = compareSignature(post, theirs({ mac }), keys);
      assert.equal(mismatch?.step, 5);
      assert.match(mismatch?.message ?? '', mistake);
    });
  }

  it('differs at the header if only the public key is another', () => {
    assert.equal(compareSignature(post, theirs({ id: 'other' }), keys)?.step, 6);
  });
});
