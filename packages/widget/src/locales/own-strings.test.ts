import { expect } from '@open-wc/testing';
import { withOwn } from './own-strings.ts';

const strings = { hello: 'Hello', way: { on: 'On', out: 'Out' }, left: { one: '{count} left', other: '{count} left' } };

describe('withOwn', () => {
  it('puts own words in place of those that they name and leaves the rest', () => {
    expect(withOwn(strings, { way: { on: 'Onwards' } })).to.deep.equal({ ...strings, way: { on: 'Onwards', out: 'Out' } });
  });

  it('takes a phrase with all its plural forms', () => {
    expect(withOwn(strings, { left: { other: '{count} to go' } }).left).to.deep.equal({ other: '{count} to go' });
  });

  it('hands the strings on where there are no own words, and takes no notice of what it does not know', () => {
    expect(withOwn(strings, undefined)).to.equal(strings);
    expect(withOwn(strings, { hello: undefined, way: null, toString: 'x', other: 'y' })).to.deep.equal(strings);
  });
});
