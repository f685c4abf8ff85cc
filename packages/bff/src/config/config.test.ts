import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SECRET_KEY, validConfig } from './_valid-config.ts';
import { ConfigError, parseConfig } from './config.ts';

function faultsOf(changes: Readonly<Record<string, unknown>>): readonly string[] {
  try {
    parseConfig(validConfig(changes));
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.faults;
  }
  return [];
}

describe('parseConfig', () => {
  it('fills in the defaults of the contract', () => {
    assert.partialDeepStrictEqual(parseConfig(validConfig()), {
      ...validConfig(),
      allowedOrigins: ['https://www.example.com'],
      redirectUri: 'https://www.example.com/vestibule/sync/return',
      store: 'sqlite:vestibule.db',
      validation: { fields: [] },
      profiles: 'keep',
      requireProvenUser: false,
      rateLimits: { posts: 20, sync: 60, other: 600, lists: 60 },
      messageMaxLength: 10_000,
      trustProxy: false,
      host: '127.0.0.1',
      port: 8080,
      logLevel: 'info',
    });
    assert.deepEqual(
      parseConfig(validConfig({ rateLimits: { posts: 3 } })).rateLimits,
      { posts: 3, sync: 60, other: 600, lists: 60 },
    );
  });

  it('normalizes base URLs, and keeps the redirect URI and the embedded URL byte for byte', () => {
    const { serviceUrl, publicUrl } = parseConfig(validConfig({ serviceUrl: 'HTTPS://Comments.Example:443/base//', publicUrl: 'HTTPS://www.example.com/v/' }));
    assert.deepEqual([serviceUrl, publicUrl], ['https://comments.example/base', 'https://www.example.com/v']);
    for (const url of ['https://www.example.com:443/return?verify=1', 'HTTPS://www.example.com', 'https://www.example.com/a/../b?x=%7e']) {
      const { redirectUri, embeddedUrl } = parseConfig(validConfig({ redirectUri: url, embeddedUrl: url }));
      assert.deepEqual([redirectUri, embeddedUrl], [url, url]);
    }
  });

  it('reports all faults together, by the caller\'s names of settings, and never repeats a value', () => {
    assert.deepEqual(faultsOf({ serviceUrl: undefined, forums: [], port: 70_000, typo: true }), [
      'serviceUrl: is required; must be an http or https URL such as https://comments.example.net. Base URL of the comment service.',
      'forums: must contain at least one forum short name, such as news',
      'port: must be a whole number from 0 to 65535, such as 8080',
      'typo: is not a setting',
    ]);
    assert.throws(
      () => parseConfig(validConfig({ cookieSecrets: ['short'] }), (setting) => setting.toUpperCase()),
      { faults: ['COOKIESECRETS, item 1: must be 32 bytes or more; "openssl rand -hex 32" prints one'] },
    );
    const everythingWrong = Object.fromEntries(Object.keys(parseConfig(validConfig())).map((name) => [name, 'value-canary']));
    assert.throws(() => parseConfig({ ...everythingWrong, secretKey: { key: SECRET_KEY } }), (error: ConfigError) => {
      assert.ok(error.faults.length > 15);
      assert.doesNotMatch(`${error.message}${error.stack}`, /canary/);
      return true;
    });
  });

  it('refuses anything but an object', () => {
    for (const input of [undefined, null, 'text', 5, []]) {
      assert.throws(() => parseConfig(input), { name: 'ConfigError', faults: ['configuration: must be an object'] });
    }
  });

  const urlRule = /^must be an http or https URL such as https:/;
  const baseUrlRule = 'must not contain user info, a query or a fragment';
  const exactUrlRule = 'must not contain user info, a fragment or white space';
  const callbackRule = 'must not contain a parameter of the callback (code, username, user_id, audiencesync_uri, error, success)';
  const field = { name: 'age', type: 'number', label: 'Age' };
  const refused: readonly (readonly [setting: string, values: readonly unknown[], rule: string | RegExp])[] = [
    ['serviceUrl', ['nonsense', 'ftp://comments.example', '//comments.example', '', 5], urlRule],
    ['serviceUrl', ['https://u@comments.example', 'https://u:p@comments.example', 'https://c.example?a=1', 'https://c.example#a'], baseUrlRule],
    ['publicUrl', ['www.example.com', 'javascript:alert(1)'], urlRule],
    ['redirectUri', ['nonsense', '/sync/return', 'javascript:alert(1)'], urlRule],
    ['redirectUri', ['https://u@a.example', 'https://a.example/#', ' https://a.example', 'https://a.example/a b'], exactUrlRule],
    ['redirectUri', ['https://a.example/?code=1', 'https://a.example/?a=1&success', 'https://a.example/?%65rror=1'], callbackRule],
    ['embeddedUrl', ['https://u@a.example', 'https://a.example/#a', 'https://a.example/\t'], exactUrlRule],
    ['publicKey', ['', 'a"b', 'a\\b', 'a b', 'ä', 'a\r\nb', '…', 5], 'must be visible ASCII characters without quotes and backslashes'],
    ['secretKey', ['', '…', '...', ' ', 5], 'must be the secret key of the service, not a placeholder'],
    ['forums, item 1', ['', 'a b', 5], 'must be a forum short name of letters, digits, - and _, such as news'],
    ['allowedOrigins, item 1', ['https://www.example.com/', 'www.example.com', 'null', 'file://'],
      'must be an origin such as https://www.example.com, without a path'],
    ['allowedOrigins, item 1', ['*', 'https://*.example.com', 'https://www.*'], 'must not have a wildcard (*): name each host'],
    ['publicUrl', ['https://*.example.com/vestibule'], 'must not have a wildcard (*): name each host'],
    ['cookieSecrets, item 1', ['', 'x'.repeat(31), 'ü'.repeat(15)], 'must be 32 bytes or more; "openssl rand -hex 32" prints one'],
    ['store', ['vestibule.db', 'sqlite:', 'mysql://host', 'redis:host', 'memory', 'rediss+cluster:'], /^must be sqlite:PATH, redis:\/\/HOST:PORT, .*memory:/],
    ['rateLimits', ['on', 5, { posts: 'many' }], /^must be off, or requests per minute such as posts=20,sync=60/],
    ['trustProxy', ['nonsense', '1', {}], 'must be true, false, the number of proxies, or their addresses, such as loopback,10.0.0.0/8'],
    ['requireProvenUser', ['yes', 0, null], 'must be true or false'],
    ['profiles', ['forget', true], 'must be keep or discard'],
    ['profileDays', [0, 36_501, 1.5, '30'], 'must be a whole number of days from 1 to 36500, such as 365'],
    ['logLevel', ['loud', 5], 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['port', [-1, 65_536, '80', NaN], 'must be a whole number from 0 to 65535, such as 8080'],
    ['messageMaxLength', [0, 100_001, 1.5], 'must be a whole number of characters from 1 to 100000, such as 10000'],
    ['serviceTimeoutMs', [0, 1.5, '5', Infinity, 86_400_001], 'must be a whole number of milliseconds from 1 to 86400000, such as 10000'],
    ['sessionIdleSeconds', [0, -1, 1.5, '5', Infinity, 34_560_001], 'must be a whole number of seconds from 1 to 34560000, such as 1209600'],
    ['sessionAbsoluteSeconds', [9_999_999_999_999], 'must be a whole number of seconds from 1 to 34560000, such as 7776000'],
    ['syncSeconds', [900_000, 9_999_999_999_999], 'must be a whole number of seconds from 1 to 86400, such as 900'],
    ['adminPort', [8080], 'must be another port than PORT'],
    ['validation', [5, []], 'must be an object with ask, fields, validate and onAccepted, all optional'],
    ['posts', [5, []], /^must be an object with replies, orders, prepare/],
    ['validation.fields', [{ fields: [field, field] }], 'must not contain two fields with the same name'],
    ['posts.replies', [{ replies: true }, { replies: true, list: () => ({ posts: [] }) }], /^needs the hook prepare, which passes `parent` on/],
    ...['edit', 'remove', 'like', 'conversation'].map((hook) => (
      [`posts.${hook}`, [{ [hook]: () => ({ ok: true }) }], 'needs the hook list: readers find it in the list alone'] as const)),
    ['posts.orders', [{ orders: ['newest'] }], 'needs the hook list: readers find it in the list alone'],
    ['posts.orders', [[], ['oldest'], ['newest', 'newest'], 'newest'].map((orders) => ({ list: () => ({ posts: [] }), orders })),
      /^must be a list of newest, oldest, top, each at most once, newest among them/],
    ['validation.ask', [{ ask: 'never' }, { ask: true }], 'must be once or always'],
    ['validation.validate', [{ validate: true }], 'must be a function'],
    ['posts.list', [{ list: 1 }], 'must be a function'],
  ];
  for (const [path, values, rule] of refused) {
    it(`refuses values of ${path}: ${String(rule)}`, () => {
      const [, setting = '', item] = /^(\w+)(?:\.\w+)?(, item 1)?$/.exec(path) ?? [];
      for (const value of values) {
        const [fault = '', ...more] = faultsOf({ [setting]: item === undefined ? value : [value] });
        assert.deepEqual([fault.slice(0, path.length + 2), more], [`${path}: `, []], JSON.stringify(value));
        if (typeof rule === 'string') assert.equal(fault.slice(path.length + 2), rule);
        else assert.match(fault.slice(path.length + 2), rule);
      }
    });
  }

  it('takes hooks of each kind, and replies without prepare, beside the thread of the service', () => {
    const hooks = { list: () => ({ posts: [] }), orders: ['newest'], conversation: () => ({ posts: [] }), count: () => [], edit: () => undefined };
    assert.deepEqual(faultsOf({ threads: 'service', posts: { ...hooks, replies: true, prepare: () => ({ ok: true }), created: () => undefined } }), []);
    assert.deepEqual(faultsOf({ threads: 'service', posts: { replies: true, like: () => undefined } }), []);
    for (const threads of ['sqlite:comments.db', true]) assert.deepEqual(faultsOf({ threads }), ['threads: must be service']);
  });
});
