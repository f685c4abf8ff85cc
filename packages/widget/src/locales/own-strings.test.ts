import { expect } from '@open-wc/testing';
import { withOwn } from './own-strings.ts';

const strings = { hello: 'Hello', way: { on: 'On', out: 'Out' }, left: { one: '{count} left', other: '{count} left' } };

describe('withOwn', () => {
  it('replaces the named phrases only', () => {
    expect(withOwn(strings, { way: { on: 'Onwards' } })).to.deep.equal({ ...strings, way: { on: 'Onwards', out: 'Out' } });
  });

  it('replaces a phrase with all its plural forms', () => {
    expect(withOwn(strings, { left: { other: '{count} to go' } }).left).to.deep.equal({ other: '{count} to go' });
  });

  it('returns the strings without own phrases, and ignores unknown keys', () => {
    expect(withOwn(strings, undefined)).to.equal(strings);
    expect(withOwn(strings, { hello: undefined, way: null, toString: 'x', other: 'y' })).to.deep.equal(strings);
  });
});
