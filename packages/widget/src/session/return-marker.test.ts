import { expect } from '@open-wc/testing';
import { setReturnMarker, takeReturnMarker } from './return-marker.ts';

const page = 'https://www.example.com/a';
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
    setReturnMarker(page);
    expect([takeReturnMarker(page), takeReturnMarker(page)]).to.deep.equal([true, false]);
  });

  it('leaves the marker of another page', () => {
    setReturnMarker(page);
    expect([takeReturnMarker('https://www.example.com/b'), takeReturnMarker(page)]).to.deep.equal([false, true]);
  });

  it('takes a marker that is younger than 30 minutes', () => {
    setReturnMarker(page);
    wait(LIFETIME_MS - 1);
    expect(takeReturnMarker(page)).to.equal(true);
    expect(sessionStorage).to.have.length(0);
  });

  it('removes an expired marker of any page', () => {
    for (const taken of [page, 'https://www.example.com/b']) {
      wait(0);
      setReturnMarker(page);
      wait(LIFETIME_MS);
      expect(takeReturnMarker(taken)).to.equal(false);
      expect(sessionStorage).to.have.length(0);
    }
  });

  it('is false without a marker, and where storage is refused', () => {
    expect(takeReturnMarker(page)).to.equal(false);
    Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
    setReturnMarker(page);
    expect(takeReturnMarker(page)).to.equal(false);
  });
});
