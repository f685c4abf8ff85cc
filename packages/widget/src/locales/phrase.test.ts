import { expect } from '@open-wc/testing';
import { fill, plural } from './phrase.ts';

describe('fill', () => {
  it('puts values in their places and leaves the rest', () => {
    expect(fill('You are {name}, {name}.', { name: 'Ada' }).join('')).to.equal('You are Ada, Ada.');
    expect(fill('Nothing here', {}).join('')).to.equal('Nothing here');
  });

  it('does not look into what it puts in', () => {
    expect(fill('{name}', { name: '{name}' }).join('')).to.equal('{name}');
  });
});

describe('plural', () => {
  it('takes the form and the number of the language', () => {
    const phrase = { one: '{count} character', other: '{count} characters' };
    expect([1, 2, 1234].map((count) => plural('en', phrase, count))).to.deep.equal(['1 character', '2 characters', '1,234 characters']);
    expect(plural('pl', { one: '{count} znak', few: '{count} znaki', many: '{count} znaków', other: '{count} znaku' }, 3)).to.equal('3 znaki');
  });

  it('takes the last form where the language has none of its own', () => {
    expect(plural('ar', { other: '{count} x' }, 2)).to.match(/ x$/);
  });
});
