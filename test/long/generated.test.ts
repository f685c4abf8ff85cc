/** Generated addresses: the BFF believes those that a second implementation believes, which compares text and parses no URL. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc, { type Arbitrary } from 'fast-check';
import { startBff } from '../lib/bff.ts';
import { suiteResource } from '../lib/suite-resource.ts';

const CASES = { numRuns: 2_000 };

/** RFC 3986, appendix B. */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?$/;

/** Without a dot at the end, which parsers remove from an IP address. */
const PLAIN_AUTHORITY = /^([a-z\d.-]*[a-z\d])(?::(\d{0,5}))?$/i;

/** White space, controls, and what is not seen. */
const UNSEEN = /[\p{Z}\p{Cc}\p{Cf}\\]/u;

interface Parts {
  /** Lower case, without the scheme's own port. */
  readonly origin: string;
  readonly path: string;
}

/** `undefined` where parsers may differ about the host. */
function split(text: string): Parts | undefined {
  const [, scheme = '', authority, path = ''] = PARTS.exec(text) ?? [];
  const [, host, port] = PLAIN_AUTHORITY.exec(authority ?? '') ?? [];
  if (host === undefined) return undefined;
  const name = scheme.toLowerCase();
  const isOwnPort = !port || Number(port) === (name === 'https' ? 443 : 80);
  return { origin: `${name}://${host.toLowerCase()}${isOwnPort ? '' : `:${Number(port)}`}`, path };
}

/** Addresses that are right, nearly right, or wrong in a way that some parser forgives. */
function addresses(origin: string, pathname: string): Arbitrary<string> {
  const { protocol, hostname, port } = new URL(origin);
  const scheme = protocol.slice(0, -1);
  const one = fc.oneof({ weight: 6, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 1 }) });
  return fc.tuple(
    one,
    fc.constantFrom(scheme, scheme, scheme, scheme.toUpperCase(), `${scheme}x`, 'javascript', ''),
    fc.constantFrom('://', '://', '://', ':/', ':', ':///', ':\\\\', '//'),
    fc.constantFrom(
      hostname, hostname, hostname, `user@${hostname}`, `${hostname}@evil.example`, `${hostname}.evil.example`, `${hostname}.`, 'evil.example',
    ),
    one,
    fc.constantFrom(`:${port}`, `:${port}`, `:${port}`, `:0${port}`, '', ':', ':99999', `:${port}x`),
    fc.constantFrom(pathname, pathname, pathname.slice(0, -1), pathname.replace('/', '//'), pathname.replace('/', '/./'), '/', '', '/a/b'),
    fc.constantFrom('', '', '?', '?access_token=x', '#', '#a', ';', '?a=b&c'),
    one,
  ).map((parts) => parts.join(''));
}

describe('generated addresses', () => {
  const bff = suiteResource(() => startBff({ rateLimits: 'off', publicUrl: 'http://www.example.com:8080/vestibule' }));

  it('are completion URIs of a sign-in where they spell the completion endpoint', async () => {
    const { service } = bff();
    const reader = bff().browser();
    const endpoint = `${service.url}/audiencesync/complete/`;
    const expected = split(endpoint) as Parts;
    let believed = 0;
    const { origin, pathname } = new URL(endpoint);
    await fc.assert(fc.asyncProperty(addresses(origin, pathname), async (audiencesync_uri) => {
      const begun = await reader.start({ ...reader.issueReturn(), audiencesync_uri });
      const parts = split(audiencesync_uri);
      const isExpected = !UNSEEN.test(audiencesync_uri) && !audiencesync_uri.includes('#')
        && parts?.origin === expected.origin && parts.path === expected.path;
      if (parts) assert.equal(begun.status === 201, isExpected, `${begun.status} ${audiencesync_uri}`);
      if (begun.status !== 201) return;
      believed += 1;
      const cancelled = await reader.cancel();
      assert.equal(cancelled.status, 200, cancelled.text);
      const { completion_url } = cancelled.body as { completion_url: string };
      const completed = new URL(completion_url);
      assert.equal(completed.origin + completed.pathname, endpoint, audiencesync_uri);
    }), CASES);
    assert.ok(believed > CASES.numRuns / 1_000, `${believed} were believed`);
  });

  it('are pages to return to where they are on an allowed origin', async () => {
    const { origin } = bff();
    const reader = bff().browser();
    let believed = 0;
    await fc.assert(fc.asyncProperty(addresses(origin, '/article/'), async (text) => {
      const { status } = await reader.authorize(new URLSearchParams({ forum: 'news', return_to: text }).toString());
      const parts = split(text);
      const isExpected = !UNSEEN.test(text) && parts?.origin === origin;
      if (parts) assert.equal(status === 302, isExpected, `${status} ${text}`);
      else assert.equal(status, 400, text);
      believed += Number(status === 302);
    }), CASES);
    assert.ok(believed > CASES.numRuns / 1_000, `${believed} were believed`);
  });
});
