import { expect } from '@open-wc/testing';
import { excerpt, splitLinks } from './text-segments.ts';

const links = (text: string): string[] => splitLinks(text).flatMap((segment) => (segment.kind === 'link' ? segment.text : []));

describe('splitLinks', () => {
  it('keeps every character, in order', () => {
    for (const text of ['', 'no link', 'https://a.example', '(see https://a.example/b?c=d#e), and http://ü.example/ö!\nhttps://b.example.']) {
      expect(splitLinks(text).map((segment) => segment.text).join('')).to.equal(text);
    }
  });

  it('links http and https', () => {
    expect(splitLinks('At https://a.example/b?c=d&e#f and HTTP://B.example')).to.deep.equal([
      { kind: 'text', text: 'At ' },
      { kind: 'link', text: 'https://a.example/b?c=d&e#f', href: 'https://a.example/b?c=d&e#f' },
      { kind: 'text', text: ' and ' },
      { kind: 'link', text: 'HTTP://B.example', href: 'http://b.example/' },
    ]);
  });

  it('leaves the punctuation of the sentence outside', () => {
    for (const [text, link] of [
      ['https://a.example.', 'https://a.example'],
      ['(https://a.example/b)', 'https://a.example/b'],
      ['https://a.example/b_(c)', 'https://a.example/b_(c)'],
      ['(https://a.example/b_(c)).', 'https://a.example/b_(c)'],
      ['“https://a.example/b”,', 'https://a.example/b'],
      ['<https://a.example/b>', 'https://a.example/b'],
      ['見る：https://a.example/b。', 'https://a.example/b'],
      ['https://a.example/?!…', 'https://a.example/'],
    ] as const) expect(links(text), text).to.deep.equal([link]);
  });

  it('links nothing else', () => {
    for (const text of [
      'javascript:alert(1)', 'JaVaScRiPt://https', 'data:text/html,<script>alert(1)</script>', 'vbscript:x', 'file:///etc/passwd',
      'ftp://a.example', '//a.example', 'www.a.example', 'xhttps://a.example', 'https://', 'https://...', 'https:// a.example', 'http://[',
      'https://bank.example@evil.example/', 'https://user:password@a.example/',
    ]) expect(links(text), text).to.deep.equal([]);
  });

  it('ends a link before characters that reorder or hide text', () => {
    expect(links('https://a.example/\u202Egpj.exe')).to.deep.equal(['https://a.example/']);
    expect(links('https://a.example/\u200Bb')).to.deep.equal(['https://a.example/']);
  });

  it('takes linear time, and links fifty URLs of a post at most', () => {
    const msToSplit = (): number => {
      const startedAt = performance.now();
      for (const part of ['https://a.example ', 'https://', 'https://a.example/.', 'https://a.example/)', 'https://a.example/(', '.']) {
        splitLinks(part.repeat(65_536 / part.length));
      }
      splitLinks(`https://a.example/${'.'.repeat(65_000)}a`);
      splitLinks(`https://a.example/${')'.repeat(65_000)}`);
      return performance.now() - startedAt;
    };
    expect(Math.min(msToSplit(), msToSplit(), msToSplit())).to.be.lessThan(500);
    expect(links('https://a.example '.repeat(60))).to.have.length(50);
  });
});

describe('excerpt', () => {
  it('is undefined for a short text', () => {
    for (const text of ['', 'short', 'x'.repeat(1200), '\n'.repeat(15)]) expect(excerpt(text)).to.equal(undefined);
  });

  it('ends between words', () => {
    const text = 'word '.repeat(300);
    const beginning = excerpt(text)!;
    expect(text.startsWith(beginning)).to.equal(true);
    expect(beginning.length).to.be.within(1190, 1200);
    expect(beginning.endsWith('word')).to.equal(true);
  });

  it('has sixteen lines at most', () => {
    expect(excerpt('line\n'.repeat(40))!.trim().split('\n')).to.have.length(16);
    expect(excerpt('\n'.repeat(65_536))!.length).to.be.at.most(16);
  });

  it('cuts no character in two', () => {
    expect(excerpt('🦊'.repeat(1000))!.isWellFormed()).to.equal(true);
    expect(excerpt(`a${'🦊'.repeat(1000)}`)!.isWellFormed()).to.equal(true);
  });

  it('cuts no URL', () => {
    expect(links(excerpt(`${'word '.repeat(236)}https://a.example/${'b'.repeat(100)} more`)!)).to.deep.equal([]);
  });
});
