import { expect } from '@open-wc/testing';
import { excerpt, splitLinks } from './text-segments.ts';

const links = (text: string): string[] => splitLinks(text).flatMap((part) => (typeof part === 'string' ? [] : part.text));

describe('splitLinks', () => {
  it('keeps every character, in order', () => {
    for (const text of ['', 'no link', 'https://a.example', '(see https://a.example/b?c=d#e), and http://ü.example/ö!\nhttps://b.example.']) {
      expect(splitLinks(text).map((part) => (typeof part === 'string' ? part : part.text)).join('')).to.equal(text);
    }
  });

  it('links http and https', () => {
    expect(splitLinks('At https://a.example/b?c=d&e#f and HTTP://B.example')).to.deep.equal([
      'At ', { text: 'https://a.example/b?c=d&e#f', href: 'https://a.example/b?c=d&e#f' },
      ' and ', { text: 'HTTP://B.example', href: 'http://b.example/' }, '',
    ]);
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
    ['https://a.example '.repeat(60), ...Array<string>(50).fill('https://a.example')],
    ...[
      'javascript:alert(1)', 'JaVaScRiPt://https', 'data:text/html,<script>alert(1)</script>', 'vbscript:x', 'file:///etc/passwd',
      'ftp://a.example', '//a.example', 'www.a.example', 'xhttps://a.example', 'https://', 'https://...', 'https:// a.example', 'http://[',
      'https://bank.example@evil.example/', 'https://user:password@a.example/',
    ].map((one) => [one]),
  ] as [string, ...string[]][]) {
    it(`finds ${expected.length || 'no'} link, without the punctuation around it: ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect(links(text)).to.deep.equal(expected);
    });
  }
});

describe('excerpt', () => {
  it('is undefined for a short text, else ends between words, with sixteen lines at most', () => {
    for (const text of ['', 'short', 'x'.repeat(1200), '\n'.repeat(15)]) expect(excerpt(text)).to.equal(undefined);
    expect(excerpt('word '.repeat(300))).to.match(/^(word ){200,}word$/).and.have.length.within(1190, 1200);
    expect(excerpt('line\n'.repeat(40))!.trim().split('\n')).to.have.length(16);
    expect(excerpt('\n'.repeat(65_536))!.length).to.be.at.most(16);
  });

  it('cuts no URL and no character in two', () => {
    expect(links(excerpt(`${'word '.repeat(236)}https://a.example/${'b'.repeat(100)} more`)!)).to.deep.equal([]);
    for (const character of ['🦊', '👨‍👩‍👧‍👦']) expect(excerpt(`a${character.repeat(1000)}`)!.replaceAll(character, '')).to.equal('a');
  });
});
