import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseCompletionUri } from '../../packages/bff/src/service/sign-in-urls.ts';
import { parseReturnUri } from '../../packages/bff/src/sync/sync-return.ts';

interface Corpus {
  readonly families: readonly { readonly family: string; readonly source: string; readonly values: readonly string[] }[];
}

const corpus = JSON.parse(readFileSync(new URL('data/redirect-tricks.json', import.meta.url), 'utf8')) as Corpus;
const paths = JSON.parse(readFileSync(new URL('data/completion-path-tricks.json', import.meta.url), 'utf8')) as { values: string[] };

function fill(value: string, origin: string, path: string): string {
  const { host } = new URL(origin);
  const fullWidth = host.replace(/[a-z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) as number) - 0x61 + 0xff41));
  return value.replaceAll('{origin}', origin).replaceAll('{host}', host).replaceAll('{path}', path).replaceAll('{host-fullwidth}', fullWidth);
}

function typeOf(parse: () => unknown): string {
  try {
    parse();
    return 'accepted';
  } catch (error) {
    return (error as { type?: string }).type ?? String(error);
  }
}

describe('an open redirect by return_to', () => {
  const origins = ['https://www.example.com'];

  for (const { family, values } of corpus.families) {
    it(`is refused in each of the ${values.length} spellings of the family ${family}`, () => {
      const accepted = values.map((value) => fill(value, 'https://www.example.com', '/articles/1'))
        .filter((value) => typeOf(() => parseReturnUri(origins, value)) !== 'untrusted-return-uri');
      assert.deepEqual(accepted, []);
    });
  }

  it('accepts pages of the allowed origin', () => {
    for (const page of ['https://www.example.com/', 'https://www.example.com/a?b=c&d=%20#e', 'https://www.example.com:443/ä']) {
      assert.equal(new URL(parseReturnUri(origins, page)).origin, 'https://www.example.com');
    }
  });
});

describe('a token sent elsewhere by audiencesync_uri', () => {
  const service = 'https://service.example';

  for (const { family, values } of corpus.families) {
    it(`is refused in each of the ${values.length} spellings of the family ${family}`, () => {
      const accepted = values.map((value) => fill(value, service, '/audiencesync/complete/'))
        .filter((value) => typeOf(() => parseCompletionUri(service, value)) !== 'untrusted-completion-uri');
      assert.deepEqual(accepted, []);
    });
  }

  it('is refused at every other path of the service', () => {
    const accepted = paths.values.filter((path) => typeOf(() => parseCompletionUri(service, service + path)) !== 'untrusted-completion-uri');
    assert.deepEqual(accepted, []);
  });

  it('accepts the completion endpoint and its query', () => {
    for (const uri of ['/audiencesync/complete/', '/audiencesync/complete/?state=a%20b&x=1']) {
      assert.equal(parseCompletionUri(service, service + uri), service + uri);
    }
  });
});

describe('the corpus', () => {
  it('has at least 200 rows and names a source for each family', () => {
    assert.ok(corpus.families.flatMap(({ values }) => values).length >= 200);
    assert.ok(corpus.families.every(({ source }) => source.length > 10));
  });
});
