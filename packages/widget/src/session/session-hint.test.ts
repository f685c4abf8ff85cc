import { expect } from '@open-wc/testing';
import { setReturnMarker } from './return-marker.ts';
import { needsSecondStage } from './session-hint.ts';
import { needsSession, readSessionHint, writeSessionHint } from './stored-session-hint.ts';

const bff = new URL('https://bff.example/');
const addressOfTest = location.href;
const { now } = Date;
const descriptor = Object.getOwnPropertyDescriptor(window, 'localStorage')!;

afterEach(() => {
  Date.now = now;
  Object.defineProperty(window, 'localStorage', descriptor);
  history.replaceState(null, '', addressOfTest);
  localStorage.clear();
  sessionStorage.clear();
});

function refuseStorage(): void {
  Object.defineProperty(window, 'localStorage', { configurable: true, get() { throw new DOMException('no', 'SecurityError'); } });
}

describe('needsSecondStage', () => {
  it('is true after a callback, wherever its parameter is', () => {
    for (const [search, expected] of [
      ['?audiencesync_uri=x', true], ['?q=1&audiencesync_uri=x', true], ['?q=1', false], ['?q=audiencesync_uri=x', false],
    ] as const) {
      history.replaceState(null, '', search);
      expect(needsSecondStage(bff), search).to.equal(expected);
    }
  });

  it('is true after a return from signing in', () => {
    expect(needsSecondStage(bff)).to.equal(false);
    setReturnMarker({ bff: bff.href, forum: 'news', page: 'https://www.example.com/a' });
    expect(needsSecondStage(bff)).to.equal(true);
  });

  it('is true with a session at this BFF', () => {
    writeSessionHint(bff, true);
    expect([needsSecondStage(bff), needsSecondStage(new URL('https://other.example/'))]).to.deep.equal([true, false]);
  });

  it('is false where storage is refused', () => {
    refuseStorage();
    expect(needsSecondStage(bff)).to.equal(false);
  });
});

describe('writeSessionHint', () => {
  it('stores the account with the time, and keeps that of the same account', () => {
    Date.now = () => 1000;
    writeSessionHint(bff, true, '42');
    Date.now = () => 2000;
    writeSessionHint(bff, true, '42');
    writeSessionHint(bff, true);
    expect(readSessionHint(bff)).to.deep.equal({ account: '42', since: 1000 });
    writeSessionHint(bff, true, '43');
    expect(readSessionHint(bff)).to.deep.equal({ account: '43', since: 2000 });
  });

  it('stores that a sign-in goes on elsewhere, without an account', () => {
    writeSessionHint(bff, true);
    expect([needsSession(bff), readSessionHint(bff)]).to.deep.equal([true, undefined]);
    writeSessionHint(bff, true, '42');
    expect(readSessionHint(bff)?.account).to.equal('42');
  });

  it('removes the hint of a reader who is signed out', () => {
    writeSessionHint(bff, true, '42');
    writeSessionHint(bff, false);
    expect([needsSession(bff), localStorage.length]).to.deep.equal([false, 0]);
  });

  it('does nothing where storage is refused', () => {
    refuseStorage();
    writeSessionHint(bff, true, '42');
    expect([needsSession(bff), readSessionHint(bff)]).to.deep.equal([false, undefined]);
  });
});

describe('readSessionHint', () => {
  it('ignores a record without account or time', () => {
    for (const record of ['{', 'null', '{"account":"42"}', '{"since":1}']) {
      localStorage.setItem('vestibule:session https://bff.example/', record);
      expect(readSessionHint(bff), record).to.equal(undefined);
    }
  });
});
