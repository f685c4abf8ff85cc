import { expect } from '@open-wc/testing';
import { lowerLimit, measureMessage } from './message-length.ts';

describe('measureMessage', () => {
  it('counts code points', () => {
    expect(measureMessage('🦊ü✓', 3).left).to.equal(0);
    expect(measureMessage('👩‍👩‍👧', 4).left).to.equal(-1);
  });

  it('comes near in the last tenth, 200 code points at most', () => {
    expect(measureMessage('x'.repeat(89), 100).isNear).to.equal(false);
    expect(measureMessage('x'.repeat(90), 100).isNear).to.equal(true);
    expect(measureMessage('x'.repeat(9_799), 10_000).isNear).to.equal(false);
    expect(measureMessage('x'.repeat(9_800), 10_000).isNear).to.equal(true);
    expect(measureMessage('x', Infinity).isNear).to.equal(false);
  });
});

describe('lowerLimit', () => {
  it('is the lower of the two', () => {
    expect(lowerLimit(100, 20)).to.equal(20);
    expect(lowerLimit(100, 200)).to.equal(100);
    expect(lowerLimit(undefined, 20)).to.equal(20);
  });

  it('passes over a limit of the page that is none', () => {
    for (const none of [null, NaN, 0, -1]) expect(lowerLimit(100, none)).to.equal(100);
  });
});
