import { expect } from '@open-wc/testing';
import { initials, tint } from './initials.ts';

describe('initials', () => {
  it('are the first letters of the first and the last word', () => {
    for (const [name, letters] of [
      ['Ada', 'A'], ['ada quill', 'AQ'], ['Jörg von Ünterwald', 'JÜ'], ['Noor “Ink” al-Haddad', 'NA'], ['Σοφία Λάσκαρη', 'ΣΛ'],
      ['_42 fox', '4'], ['ßeta', 'ß'], ['حنان الصايغ', 'ح'], ['山田 太郎', '山'], ['🦊', ''], ['', ''], [' \u202E ', ''],
    ] as const) expect(initials(name), name).to.equal(letters);
  });

  it('have no combining marks', () => {
    expect(initials(`a${'\u0301'.repeat(10_000)} b`)).to.equal('AB');
  });
});

describe('tint', () => {
  it('is one of six, the same for the same name', () => {
    const tints = Array.from({ length: 200 }, (_, index) => tint(`reader ${index}`));
    expect(new Set(tints)).to.deep.equal(new Set([0, 1, 2, 3, 4, 5]));
    expect(tint('Ada')).to.equal(tint('Ada'));
  });
});
