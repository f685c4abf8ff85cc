import { expect } from '@open-wc/testing';
import { setReturnMarker, takeReturnMarker } from './return-marker.ts';

const box = { bff: 'https://bff.example/', forum: 'news', page: 'https://www.example.com/a' };
const LIFETIME_MS = 30 * 60_000;
const { now } = Date;
const { setItem } = Storage.prototype;

beforeEach(() => {
  Date.now = () => 40 * LIFETIME_MS;
});

afterEach(() => {
  Date.now = now;
  Storage.prototype.setItem = setItem;
  sessionStorage.clear();
});

function wait(ms: number): void {
  Date.now = () => 40 * LIFETIME_MS + ms;
}

describe('takeReturnMarker', () => {
  it('takes the marker of the page once', () => {
    setReturnMarker(box);
    expect([takeReturnMarker(box), takeReturnMarker(box)]).to.deep.equal([true, false]);
  });

  it('leaves the marker of a box of another page, forum or BFF', () => {
    setReturnMarker(box);
    const others = [{ page: 'https://www.example.com/b' }, { forum: 'sport' }, { bff: 'https://other.example/' }];
    for (const other of others) expect(takeReturnMarker({ ...box, ...other })).to.equal(false);
    expect(takeReturnMarker(box)).to.equal(true);
  });

  it('takes a marker that is younger than 30 minutes', () => {
    setReturnMarker(box);
    wait(LIFETIME_MS - 1);
    expect(takeReturnMarker(box)).to.equal(true);
    expect(sessionStorage).to.have.length(0);
  });

  it('removes an expired marker of any page', () => {
    for (const taken of [box, { ...box, page: 'https://www.example.com/b' }]) {
      wait(0);
      setReturnMarker(box);
      wait(LIFETIME_MS);
      expect(takeReturnMarker(taken)).to.equal(false);
      expect(sessionStorage).to.have.length(0);
    }
  });

  it('is false without a marker, and where storage is refused', () => {
    expect(takeReturnMarker(box)).to.equal(false);
    Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
    setReturnMarker(box);
    expect(takeReturnMarker(box)).to.equal(false);
  });
});
