import { expect } from '@open-wc/testing';
import { hasCallback, takeCallback, type SyncCallback } from './callback-params.ts';

const GRANT = 'code=c0de&username=Ada+L&user_id=42&audiencesync_uri=https%3A%2F%2Fservice.example%2Faudiencesync%2Fcomplete%2F';
const granted: SyncCallback = {
  kind: 'granted',
  syncReturn: { code: 'c0de', username: 'Ada L', user_id: '42', audiencesync_uri: 'https://service.example/audiencesync/complete/' },
};

/** Takes from a real document's address, in a frame of its own, and gives what is left of it. */
async function take(
  address: string,
): Promise<{ taken: SyncCallback | undefined; left: string; entries: number; state: unknown }> {
  const frame = document.createElement('iframe');
  frame.src = new URL('/packages/widget/testing/blank.html', location.href).href;
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  const { history, location: place } = frame.contentWindow!;
  history.replaceState({ page: 1 }, '', address);
  const before = history.length;
  const taken = takeCallback(place, history);
  const left = place.href.slice(place.origin.length);
  const { state } = history;
  const entries = history.length - before;
  frame.remove();
  return { taken, left, entries, state };
}

describe('takeCallback', () => {
  it('takes the four parameters and removes them from address and history', async () => {
    expect(await take(`/article?${GRANT}`)).to.deep.equal({ taken: granted, left: '/article', entries: 0, state: { page: 1 } });
  });

  it("leaves the page's other parameters and the hash as they are, byte for byte", async () => {
    const { taken, left } = await take(`/a?q=a+b%20c%2B&&x&${GRANT}&empty=&%zz=1#part?code=2`);
    expect(taken).to.deep.equal(granted);
    expect(left).to.equal('/a?q=a+b%20c%2B&&x&empty=&%zz=1#part?code=2');
  });

  it('takes a denial with any value, and ignores the value', async () => {
    expect(await take('/?error=%3Cimg%20src%3Dx%3E&forum=news')).to.deep.include({ taken: { kind: 'denied' }, left: '/?forum=news' });
    expect((await take(`/?${GRANT}&error=access_denied`)).taken).to.deep.equal({ kind: 'denied' });
  });

  it('treats success=1 without a code as access granted before', async () => {
    expect(await take('/?success=1&user_id=42')).to.deep.include({ taken: { kind: 'already-granted' }, left: '/' });
  });

  it('rejects duplicate parameters in any encoding', async () => {
    for (const twice of ['code=other', 'c%6Fde=other', 'user_id=43', 'username=', 'success=1&success=1']) {
      expect(await take(`/?${GRANT}&${twice}`), twice).to.deep.include({ taken: { kind: 'invalid' }, left: '/' });
    }
  });

  it('rejects incomplete callbacks and empty parameters', async () => {
    for (const part of ['code=c', GRANT.replace('&user_id=42', ''), GRANT.replace('user_id=42', 'user_id='), 'audiencesync_uri=x']) {
      expect((await take(`/?${part}`)).taken, part).to.deep.equal({ kind: 'invalid' });
    }
  });

  it('leaves an address without a callback unchanged', async () => {
    for (const address of ['/', '/?', '/?username=ada&q=1', '/?success=0', '/?codex=1&xcode=2', '/#code=1']) {
      expect(await take(address), address).to.deep.include({ taken: undefined, left: address });
    }
  });

  it('does not throw on hostile addresses', async () => {
    const hostile = [
      'code=%E0%A4%A', `code=${'%'.repeat(500)}`, `error=1&${'a[b]=&'.repeat(2000)}`, 'code[]=1&error=\u2028', '__proto__=1&error=1',
      '?code=1&error=2',
    ];
    for (const query of hostile) {
      expect((await take(`/?${query}`)).taken?.kind, query.slice(0, 40)).to.match(/invalid|denied/);
    }
  });

  it('keeps a path that looks like another host', async () => {
    expect((await take(`/.//evil.example/x?${GRANT}`)).taken).to.deep.equal(granted);
    const replaced: string[] = [];
    const place = { href: `https://www.example.com//evil.example/x?${GRANT}#h`, search: `?${GRANT}` } as Location;
    const replaceState = (_: unknown, __: string, url: URL): number => replaced.push(url.href);
    const history = { state: null, replaceState } as unknown as History;
    takeCallback(place, history);
    expect(replaced).to.deep.equal(['https://www.example.com//evil.example/x#h']);
  });

  it('returns the callback of a document without a history', () => {
    const place = { href: 'about:srcdoc', search: `?${GRANT}` } as Location;
    expect(takeCallback(place, { replaceState() { throw new DOMException('no', 'SecurityError'); } } as unknown as History)).to.deep.equal(granted);
  });
});

describe('hasCallback', () => {
  it('requires all four parameters', () => {
    expect(hasCallback({ search: `?${GRANT}` })).to.equal(true);
    for (const name of ['code', 'username', 'user_id', 'audiencesync_uri']) {
      expect(hasCallback({ search: `?${GRANT.replace(`${name}=`, `x${name}=`)}` }), name).to.equal(false);
    }
    expect(hasCallback({ search: '?error=access_denied' })).to.equal(false);
  });
});
