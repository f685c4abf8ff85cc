import { expect } from '@open-wc/testing';
import { fill, plural } from './phrase.ts';

describe('fill', () => {
  it('replaces placeholders by values', () => {
    expect(fill('You are {name}, {name}.', { name: 'Ada' }).join('')).to.equal('You are Ada, Ada.');
    expect(fill('Nothing here', {}).join('')).to.equal('Nothing here');
  });

  it('does not replace placeholders within values', () => {
    expect(fill('{name}', { name: '{name}' }).join('')).to.equal('{name}');
  });
});

describe('plural', () => {
  it('uses plural form and number format of the language', () => {
    const phrase = { one: '{count} character', other: '{count} characters' };
    expect([1, 2, 1234].map((count) => plural('en', phrase, count))).to.deep.equal(['1 character', '2 characters', '1,234 characters']);
    expect(plural('pl', { one: '{count} znak', few: '{count} znaki', many: '{count} znaków', other: '{count} znaku' }, 3)).to.equal('3 znaki');
  });

  it('falls back to the form `other`', () => {
    expect(plural('ar', { other: '{count} x' }, 2)).to.match(/ x$/);
  });
});
