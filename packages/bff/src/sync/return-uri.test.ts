import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseReturnUri } from './sync-return.ts';

const origins = ['https://www.example.com', 'http://blog.example:8080'];

describe('parseReturnUri', () => {
  it('takes pages of the allowed origins, with query and fragment', () => {
    for (const [text, href] of [
      ['https://www.example.com', 'https://www.example.com/'],
      ['https://www.example.com/a/b?c=d&e=%2F#comments', 'https://www.example.com/a/b?c=d&e=%2F#comments'],
      ['https://www.example.com:443/?next=//evil.example', 'https://www.example.com/?next=//evil.example'],
      ['http://blog.example:8080/ü', 'http://blog.example:8080/%C3%BC'],
      ['https://www.example.com/a@b', 'https://www.example.com/a@b'],
    ] as const) assert.equal(parseReturnUri(origins, text), href);
  });

  for (const [trick, texts] of Object.entries({
    'other origins': ['https://evil.example/', 'http://www.example.com/', 'https://www.example.com:8443/', 'https://example.com/', 'http://blog.example/',
      'https://www.example.com.evil.example/', 'https://evil-www.example.com/', 'https://www.example.com./', 'https://127.0.0.1/'],
    'other schemes': ['javascript:alert(1)', 'data:text/html,x', 'ftp://www.example.com/', 'blob:https://www.example.com/x', 'about:blank', 'file:///etc/passwd'],
    'user info': ['https://www.example.com@evil.example/', 'https://evil.example@www.example.com/', 'https://u:p@www.example.com/'],
    'addresses that are not whole': ['', '/', '//www.example.com/', '/article', 'www.example.com', 'https:www.example.com/', 'https:/www.example.com/', 'https:///www.example.com/',
      '?x', '#x', 'https://'],
    'what a browser reads in another way': ['https://www.example.com\\@evil.example/', 'https:\\\\www.example.com/', '\thttps://www.example.com/', 'https://www.example.com/ ',
      'https://www.exam\nple.com/', 'https://www.example.com/\0', 'https://www.example.com/\u0085', 'https://www.example.com/\u2028', 'https://www.example.com/a\r\nSet-Cookie: a=b'],
    'addresses without end': [`https://www.example.com/${'a'.repeat(4096)}`],
  })) {
    it(`refuses ${trick}`, () => {
      for (const text of texts) assert.throws(() => parseReturnUri(origins, text), { type: 'untrusted-return-uri' }, JSON.stringify(text));
    });
  }
});
