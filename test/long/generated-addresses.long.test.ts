import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completionUrl, parseCompletionUri } from '../../packages/bff/src/service/sign-in-urls.ts';
import { parseReturnUri } from '../../packages/bff/src/sync/sync-return.ts';
import { Random } from './_random.ts';
import { isCompletionUri, isPlain, isReturnUri } from './_second-url-checks.ts';
import { shareOf } from './_share.ts';

const CASES = shareOf(150_000);
const SERVICE = 'https://service.example/base';
const ORIGINS = ['https://www.example.com', 'http://www.example.com:8080'];

const schemes = ['https', 'https', 'https', 'HTTPS', 'http', 'httpx', 'javascript', ''];
const separators = ['://', '://', '://', '://', ':/', ':', ':///', ':\\\\', '//'];
const hosts = [
  'service.example', 'service.example', 'www.example.com', 'www.example.com', 'WWW.Example.com', 'evil.example', 'www.example.com.evil.example',
  'service.example.', 'user@service.example', 'www.example.com@evil.example', 'service%2eexample', 'service。example', '[::1]', '127.1',
];
const ports = ['', '', '', ':443', ':80', ':8080', ':08080', ':', ':99999', ':443x'];
const paths = [
  '/base/audiencesync/complete/', '/base/audiencesync/complete/', '/base/audiencesync/complete', '/base/audiencesync/../audiencesync/complete/',
  '/base//audiencesync/complete/', '/base/./audiencesync/complete/', '/base/%61udiencesync/complete/', '/', '', '/a/b',
];

describe('parseCompletionUri', () => {
  it(`agrees with a second implementation in ${CASES} generated cases`, () => {
    const random = new Random(2);
    let believed = 0;
    for (let i = 0; i < CASES; i += 1) {
      const text = addressOf(random);
      const url = acceptedBy(() => parseCompletionUri(SERVICE, text));
      if (isPlain(text) && (url !== undefined) !== isCompletionUri(SERVICE, text)) assert.fail(`case ${i}: ${JSON.stringify(text)}`);
      if (!url) continue;
      believed += 1;
      const accessToken = random.text(12);
      const completed = completionUrl(url, { clientId: 'id', userId: '1', accessToken, success: true });
      const [place, query = ''] = completed.split('?', 2);
      const tokens = query.split('&').filter((pair) => pair.startsWith('access_token=')).map((pair) => decodeURIComponent(pair.slice(13).replaceAll('+', ' ')));
      assert.equal(new URL(place ?? '').href, `${SERVICE}/audiencesync/complete/`, `case ${i}: ${JSON.stringify(text)}`);
      assert.deepEqual(tokens, [accessToken], `case ${i}: ${JSON.stringify(text)}`);
    }
    assert.ok(believed > CASES / 1000, `${believed} were believed`);
  });
});

describe('parseReturnUri', () => {
  it(`agrees with a second implementation in ${CASES} generated cases`, () => {
    const random = new Random(3);
    let believed = 0;
    for (let i = 0; i < CASES; i += 1) {
      const text = addressOf(random);
      const href = acceptedBy(() => parseReturnUri(ORIGINS, text));
      if (isPlain(text) && (href !== undefined) !== isReturnUri(ORIGINS, text)) assert.fail(`case ${i}: ${JSON.stringify(text)}`);
      if (href === undefined) continue;
      believed += 1;
      assert.ok(ORIGINS.some((origin) => href.startsWith(`${origin}/`)), `case ${i}: ${JSON.stringify(text)}`);
    }
    assert.ok(believed > CASES / 1000, `${believed} were believed`);
  });
});

/** An address that is right, nearly right, or wrong in a way that some parser forgives. */
function addressOf(random: Random): string {
  const query = random.chance(0.5) ? '' : `${random.of(['?', '?', '#', ';'])}${random.chance(0.3) ? 'access_token=x&' : ''}${random.text(6)}`;
  const text = random.of(schemes) + random.of(separators) + random.of(hosts) + random.of(ports) + random.of(paths) + query;
  if (random.chance(0.8)) return text;
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.character() + text.slice(at);
}

function acceptedBy<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
