import { expect } from '@open-wc/testing';
import { hasCallback, takeCallback, type SyncCallback } from './callback.ts';

const GRANT = 'code=c0de&username=Ada+L&user_id=42&audiencesync_uri=https%3A%2F%2Fservice.example%2Faudiencesync%2Fcomplete%2F';
const granted: SyncCallback = {
  kind: 'granted',
  syncReturn: { code: 'c0de', username: 'Ada L', user_id: '42', audiencesync_uri: 'https://service.example/audiencesync/complete/' },
};

const addressOfTest = location.href;

afterEach(() => history.replaceState(null, '', addressOfTest));

/** That of the tests: its page for sign-ins is `/sync/…`. */
const bff = new URL('/', location.href);

function take(address: string): { taken: SyncCallback | undefined; left: string } {
  history.replaceState({ page: 1 }, '', address);
  const { length } = history;
  const taken = takeCallback(location, history, bff);
  expect([history.length, history.state]).to.deep.equal([length, { page: 1 }]);
  return { taken, left: location.href.slice(location.origin.length) };
}

describe('takeCallback', () => {
  it("takes the four parameters; the page's others and the hash stay as they are, byte for byte", () => {
    expect(take(`/article?${GRANT}`)).to.deep.equal({ taken: granted, left: '/article' });
    expect(take(`/a?q=a+b%20c%2B&&x&${GRANT}&empty=&%zz=1#part?code=2`))
      .to.deep.equal({ taken: granted, left: '/a?q=a+b%20c%2B&&x&empty=&%zz=1#part?code=2' });
  });

  for (const [query, kind] of [
    ['success=1&user_id=42', 'already-granted'],
    ...['code=other', 'c%6Fde=other', 'user_id=43', 'username=', 'success=1&success=1'].map((twice) => [`${GRANT}&${twice}`, 'invalid-return']),
    ...[GRANT.replace('&user_id=42', ''), GRANT.replace('user_id=42', 'user_id='), 'audiencesync_uri=x'].map((part) => [part, 'invalid-return']),
    [`audiencesync_uri=${'%'.repeat(500)}`, 'invalid-return'], ['audiencesync_uri=%E0%A4%A', 'invalid-return'],
  ] as [string, string][]) {
    it(`is ${kind} after ${query.slice(0, 120)}`, () => {
      const { taken, left } = take(`/?${query}`);
      expect(taken).to.deep.equal({ kind });
      for (const name of ['code=', 'user_id=', 'error=', 'success=']) expect(left).not.to.contain(name);
    });
  }

  for (const [query, left] of [
    ['error=access_denied', ''], [`${GRANT}&error=access_denied`, ''], [`error=access_denied&${'a[b]=&'.repeat(2000)}`, `?${'a[b]=&'.repeat(2000)}`],
  ] as const) {
    it(`is declined after ${query.slice(0, 120)}`, () => {
      expect(take(`/${query && `?${query}`}`)).to.deep.equal({ taken: { kind: 'declined', error: 'access_denied' }, left: `/${left}` });
    });
  }

  for (const error of ['access_denied', '<img src=x>', '', 'server_error']) {
    it(`is declined on the BFF’s own page, whatever the value: ${error}`, () => {
      const address = `/sync/return?__proto__=1&error=${encodeURIComponent(error)}`;
      expect(take(address)).to.deep.equal({ taken: { kind: 'declined', error }, left: '/sync/return?__proto__=1' });
    });
  }

  it('takes the four parameters beside an error of the page’s own, which stays', () => {
    expect(take(`/?error=404&${GRANT}`)).to.deep.equal({ taken: granted, left: '/?error=404' });
  });

  it('leaves an address without a callback unchanged', () => {
    for (const address of ['/', '/?error=404', '/?error=server_error', '/?', '/?username=ada&q=1', '/?success=0', '/?codex=1&xcode=2', '/#code=1', '/?code=SKU1', '/?code=SKU1&success=1', '/?code=%E0%A4%A']) {
      expect(take(address), address).to.deep.equal({ taken: undefined, left: address });
    }
  });

  it('keeps a path that looks like another host', () => {
    const replaced: string[] = [];
    const place = { href: `https://www.example.com//evil.example/x?${GRANT}#h`, search: `?${GRANT}` } as Location;
    const replaceState = (_: unknown, __: string, url: string): number => replaced.push(url);
    takeCallback(place, { state: null, replaceState } as unknown as History, bff);
    expect(replaced).to.deep.equal(['https://www.example.com//evil.example/x#h']);
  });

  it('returns the callback of a document without a history', () => {
    const place = { href: 'about:srcdoc', search: `?${GRANT}` } as Location;
    expect(takeCallback(place, { replaceState() { throw new DOMException('no', 'SecurityError'); } } as unknown as History, bff)).to.deep.equal(granted);
  });
});

describe('hasCallback, of an article', () => {
  for (const [query, expected] of [
    [GRANT, true], ['error=access_denied', true], ['success=1', true],
    ['error=404', false], ['success=0', false], ['code=SKU1', false], ['code=SKU1&success=1', false], ['username=ada', false], ['', false],
  ] as const) {
    it(`is ${expected} for ${query || 'no query'}`, () => expect(hasCallback({ search: `?${query}` })).to.equal(expected));
  }
});
