/** Spellings of addresses that look trusted and are not: in `return_to`, and in `audiencesync_uri`, which receives the token. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Response, Test } from 'supertest';
import { startBff } from '../lib/bff.ts';
import { expectProblem, expectStatus, setCookies, type ReaderClient } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';

interface Corpus {
  readonly families: readonly { readonly family: string; readonly values: readonly string[] }[];
}

const { families } = JSON.parse(readFileSync(new URL('data/redirect-tricks.json', import.meta.url), 'utf8')) as Corpus;
/** Not the completion endpoint (interface 4.5) to the letter. */
const completionPaths = [
  '/', '/audiencesync/complete', '/audiencesync/complete//', '//audiencesync/complete/', '/Audiencesync/complete/', '/audiencesync/complete/x',
  '/audiencesync/complete/..', '/audiencesync/complete/.', '/audiencesync/complete/%2e%2e/', '/audiencesync/%63omplete/',
  '/audiencesync%2fcomplete/', '/x/audiencesync/complete/', '/./audiencesync/complete/', '/audiencesync/complete/;x',
  '/audiencesync/complete/#', '/audiencesync\\complete/', '/api/oauth/2.0/authorize/', '/?/audiencesync/complete/',
];

function fill(value: string, origin: string, path: string): string {
  const { host } = new URL(origin);
  const fullWidth = host.replace(/[a-z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) as number) - 0x61 + 0xff41));
  const values: Readonly<Record<string, string>> = { origin, host, path, 'host-fullwidth': fullWidth };
  return value.replaceAll(/\{(origin|host|path|host-fullwidth)\}/g, (_, name: string) => values[name] as string);
}

/** Type of the problem, or the status of a success. */
function outcomeOf({ ok, redirect, status, text }: Response): string {
  return ok || redirect ? String(status) : (JSON.parse(text) as { type: string }).type.replace('urn:vestibule:', '');
}

/** @returns the values that are not refused as `expected` */
async function accepted(values: readonly string[], send: (value: string) => Test, expected: string): Promise<string[]> {
  const outcomes = await Promise.all(values.map(async (value) => [value, outcomeOf(await send(value))] as const));
  return outcomes.filter(([, outcome]) => outcome !== expected).map((pair) => pair.join(' '));
}

describe('an open redirect by return_to', () => {
  const site = 'https://www.example.com';
  const bff = suiteResource(() => startBff({ allowedOrigins: [site], rateLimits: 'off' }));
  const authorize = (page: string) => bff().browser().authorize(`forum=news&return_to=${encodeURIComponent(page)}`);

  for (const { family, values } of families) {
    it(`is refused in each of the ${values.length} spellings of the family ${family}`, async () => {
      const pages = values.map((value) => fill(value, site, '/articles/1'));
      assert.deepEqual(await accepted(pages, authorize, 'untrusted-return-uri'), []);
    });
  }

  it('is not refused for pages of the allowed origin; a refusal binds no attempt', async () => {
    for (const path of ['/', '/a?b=c&d=%20#e', ':443/ä']) expectStatus(await authorize(site + path), 302);
    const refused = await authorize('https://evil.example/');
    expectProblem(refused, 'untrusted-return-uri');
    assert.deepEqual(setCookies(refused), []);
  });
});

describe('a token sent elsewhere by audiencesync_uri', () => {
  const service = 'https://service.example';
  const bff = suiteResource(() => startBff({ serviceUrl: service, rateLimits: 'off' }));
  const start = (uri: string) => startWith(bff().browser(), uri);

  for (const { family, values } of families) {
    it(`is refused in each of the ${values.length} spellings of the family ${family}`, async () => {
      const uris = values.filter((value) => value !== '').map((value) => fill(value, service, '/audiencesync/complete/'));
      assert.deepEqual(await accepted(uris, start, 'untrusted-completion-uri'), []);
    });
  }

  it('is refused at every other path of the service', async () => {
    const uris = completionPaths.map((path) => service + path);
    assert.deepEqual(await accepted(uris, start, 'untrusted-completion-uri'), []);
  });

  it('is not refused for the completion endpoint and its query', async () => {
    for (const query of ['', '?state=a%20b&x=1']) expectStatus(await start(`${service}/audiencesync/complete/${query}`), 201);
  });

  function startWith(browser: ReaderClient, uri: string) {
    return browser.start({ ...browser.issueReturn(), audiencesync_uri: uri });
  }
});
