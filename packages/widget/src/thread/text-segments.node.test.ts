import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitLinks } from './text-segments.ts';

const links = (text: string): string[] => splitLinks(text).flatMap((part) => (typeof part === 'string' ? [] : part.text));

describe('splitLinks', () => {
  it('keeps every character, in order', () => {
    for (const text of ['', 'no link', 'https://a.example', '(see https://a.example/b?c=d#e), and http://ü.example/ö!\nhttps://b.example.']) {
      assert.deepEqual(splitLinks(text).map((part) => (typeof part === 'string' ? part : part.text)).join(''), text);
    }
  });

  it('links http and https', () => {
    assert.deepEqual(splitLinks('At https://a.example/b?c=d&e#f and HTTP://B.example'), [
      'At ', { text: 'https://a.example/b?c=d&e#f', href: 'https://a.example/b?c=d&e#f' },
      ' and ', { text: 'HTTP://B.example', href: 'http://b.example/' }, '',
    ]);
  });

  it('leads to https where an address has no scheme', () => {
    assert.deepEqual(splitLinks('www.a.example/b'), ['', { text: 'www.a.example/b', href: 'https://www.a.example/b' }, '']);
  });

  for (const [text, ...expected] of [
    ['https://a.example.', 'https://a.example'],
    ['(https://a.example/b)', 'https://a.example/b'],
    ['https://a.example/b_(c)', 'https://a.example/b_(c)'],
    ['(https://a.example/b_(c)).', 'https://a.example/b_(c)'],
    ['“https://a.example/b”,', 'https://a.example/b'],
    ['<https://a.example/b>', 'https://a.example/b'],
    ['見る：https://a.example/b。', 'https://a.example/b'],
    ['https://a.example/?!…', 'https://a.example/'],
    ['https://a.example/\u202Egpj.exe', 'https://a.example/'],
    ['https://a.example/\u200Bb', 'https://a.example/'],
    ['www.a.example, WWW.B.example/c.', 'www.a.example', 'WWW.B.example/c'],
    ['www.user:password@a.example/'],
    ['请看https://a.example/foo。下一句', 'https://a.example/foo'],
    ['参见www.a.example/foo，谢谢', 'www.a.example/foo'],
    ['https://例え.example/パス 参照', 'https://例え.example/パス'],
    ['https://a.example/ar؟ نعم، https://a.example/b، نعم', 'https://a.example/ar', 'https://a.example/b'],
    ['https://a.example/hi। अगला', 'https://a.example/hi'],
    ['*https://a.example/a* **https://a.example/b** _https://a.example/c_ ~https://a.example/d~', ...'abcd'.split('').map((one) => `https://a.example/${one}`)],
    ['[here](https://a.example/b)', 'https://a.example/b'],
    ['https://a.example/l\'article-d\'hier', 'https://a.example/l\'article-d\'hier'],
    ['\'https://a.example/b\' ‘https://a.example/c’', 'https://a.example/b', 'https://a.example/c'],
    ['https://a.example/a((b)) https://a.example/(b https://a.example/[c)', 'https://a.example/a((b))', 'https://a.example/', 'https://a.example/'],
    ['https://a.example '.repeat(60), ...Array<string>(50).fill('https://a.example')],
    ...[
      'javascript:alert(1)', 'JaVaScRiPt://https', 'data:text/html,<script>alert(1)</script>', 'vbscript:x', 'file:///etc/passwd',
      'ftp://a.example', '//a.example', 'www.', 'www.example', 'x@www.a.example', '//www.a.example', 'xhttps://a.example', 'https://', 'https://...', 'https:// a.example', 'http://[',
      'https://bank.example@evil.example/', 'https://user:password@a.example/',
    ].map((one) => [one]),
  ] as [string, ...string[]][]) {
    it(`finds ${expected.length || 'no'} link, without the punctuation around it: ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.deepEqual(links(text), expected);
    });
  }

  it('reads each character a bounded number of times: 100,000 of what is no link, or ever a new one', () => {
    const parts = [
      'http://a@', 'http://[', 'http://%', 'http://', 'www.', 'www.a.', 'http://ü', 'http://a\'', 'https://a.example.', 'https://a.example/(',
      'www.a.b/(', 'http://a.b/((((', 'http://a.b/)', 'https://a:b@c/[', '((((', '....', '\u202e', 'ا؟', ' ',
    ];
    for (const one of parts) {
      const text = one.repeat(100_000 / one.length);
      assert.deepEqual(splitLinks(text).map((part) => (typeof part === 'string' ? part : part.text)).join(''), text);
    }
  });

  it('leaves a URL of more than 2,048 characters as text', () => {
    const url = (length: number): string => 'https://a.example/'.padEnd(length, 'b');
    assert.deepEqual(links(`${url(2_048)} ${url(2_049)} https://c.example`), [url(2_048), 'https://c.example']);
  });
});
