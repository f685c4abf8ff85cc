import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COOKIE_SECRET, SECRET_KEY, validConfig } from './_valid-config.ts';
import { ConfigError, parseConfig } from './config.ts';

function faultsOf(bent: Readonly<Record<string, unknown>>): readonly string[] {
  try {
    parseConfig(validConfig(bent));
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.faults;
  }
  return [];
}

describe('parseConfig', () => {
  it('fills in every default', () => {
    const { serviceUrl, publicKey, secretKey, forums, publicUrl, cookieSecrets, ...defaults } = parseConfig(validConfig());
    assert.deepEqual({ serviceUrl, publicKey, secretKey, forums, publicUrl, cookieSecrets }, validConfig());
    assert.partialDeepStrictEqual(defaults, {
      allowedOrigins: ['https://www.example.com'],
      redirectUri: 'https://www.example.com/vestibule/sync/return',
      store: 'sqlite:vestibule.db',
      validation: { fields: [] },
      profiles: 'keep',
      rateLimits: { posts: 20, sync: 30, other: 600 },
      messageMaxLength: 10_000,
      trustProxy: false,
      adminPort: undefined,
      host: '127.0.0.1',
      port: 8080,
      logLevel: 'info',
      serviceConnectTimeoutMs: 3_000,
      serviceTimeoutMs: 10_000,
      serviceMaxInFlight: 64,
      serviceMaxQueued: 1_000,
      serviceQueueTimeoutMs: 1_000,
      serviceBreakerFailures: 5,
      serviceBreakerOpenMs: 2_000,
      serviceProbeTimeoutMs: 2_000,
      hookTimeoutMs: 10_000,
      requestTimeoutMs: 30_000,
      drainDelayMs: 0,
      drainTimeoutMs: 25_000,
      sessionIdleSeconds: 1_209_600,
      sessionAbsoluteSeconds: 7_776_000,
      syncSeconds: 900,
      idempotencySeconds: 86_400,
    });
  });

  it('takes addresses as the standard parses them, without slashes at their end', () => {
    const { serviceUrl, publicUrl } = parseConfig(validConfig({ serviceUrl: 'HTTPS://Comments.Example:443/base//', publicUrl: ' HTTPS://www.example.com/v/ ' }));
    assert.deepEqual([serviceUrl, publicUrl], ['https://comments.example/base', 'https://www.example.com/v']);
  });

  it('keeps the redirect URI byte for byte', () => {
    for (const redirectUri of ['https://www.example.com:443/return?verify=1', 'HTTPS://www.example.com', 'https://www.example.com/a/../b?x=%7e']) {
      assert.equal(parseConfig(validConfig({ redirectUri })).redirectUri, redirectUri);
    }
  });

  it('fills the limits that are left out', () => {
    assert.deepEqual(parseConfig(validConfig({ rateLimits: { posts: 3 } })).rateLimits, { posts: 3, sync: 30, other: 600 });
    assert.equal(parseConfig(validConfig({ rateLimits: 'off' })).rateLimits, 'off');
  });

  it('names all faults at once', () => {
    assert.deepEqual(faultsOf({ serviceUrl: undefined, forums: [], port: 70_000, typo: true }), [
      'serviceUrl: is required',
      'forums: must name at least one forum',
      'port: Too big: expected number to be <=65535',
      'typo: is not a setting',
    ]);
  });

  it('says of each required setting that it is required, and of no other', () => {
    for (const name of ['serviceUrl', 'publicKey', 'secretKey', 'forums', 'publicUrl', 'cookieSecrets']) {
      assert.deepEqual(faultsOf({ [name]: undefined }), [`${name}: is required`]);
    }
    assert.deepEqual(faultsOf({ port: 'nonsense' }), ['port: Invalid input: expected number, received string']);
    assert.deepEqual(faultsOf({ serviceUrl: 5 }), ['serviceUrl: must be an http or https address']);
  });

  it('names a setting by what the caller calls it', () => {
    assert.throws(
      () => parseConfig(validConfig({ cookieSecrets: ['short'] }), (setting) => setting.toUpperCase()),
      { faults: ['COOKIESECRETS.0: must be 32 bytes or more'] },
    );
  });

  it('refuses whatever is no object', () => {
    for (const input of [undefined, null, 'text', 5, []]) assert.throws(() => parseConfig(input), ConfigError);
  });

  it('never repeats a value', () => {
    const everythingWrong = Object.fromEntries(Object.keys(parseConfig(validConfig())).map((name) => [name, 'value-canary']));
    assert.throws(() => parseConfig({ ...everythingWrong, secretKey: { key: SECRET_KEY } }), (error: ConfigError) => {
      assert.ok(error.faults.length > 15);
      assert.doesNotMatch(`${error.message}${error.stack}`, /canary/);
      return true;
    });
  });

  const refused: readonly (readonly [setting: string, values: readonly unknown[], rule: string])[] = [
    ['serviceUrl', ['nonsense', 'ftp://comments.example', '//comments.example', ''], 'must be an http or https address'],
    ['serviceUrl', ['https://u@comments.example', 'https://u:p@comments.example', 'https://comments.example?a=1', 'https://comments.example#a'],
      'must carry no user info, query or fragment'],
    ['publicUrl', ['www.example.com', 'javascript:alert(1)'], 'must be an http or https address'],
    ['redirectUri', ['nonsense', '/sync/return', 'javascript:alert(1)'], 'must be an http or https address'],
    ['publicKey', ['', 'a"b', 'a\\b', 'a b', 'ä', 'a\r\nb'], 'must be visible ASCII without quotes or backslashes'],
    ['forums.0', [''], 'must be a forum short name: letters, digits, - and _'],
    ['allowedOrigins.0', ['https://www.example.com/', 'www.example.com', 'null', '*', 'HTTPS://www.example.com', 'https://www.example.com:443', 'file://'],
      'must be an origin such as https://www.example.com, without a path'],
    ['cookieSecrets.0', ['', 'x'.repeat(31)], 'must be 32 bytes or more'],
    ['store', ['vestibule.db', 'sqlite:', 'mysql://host', 'redis:host', 'memory'],
      'must be sqlite:PATH, redis://…, rediss://…, redis+cluster://host:port,… or memory:'],
    ['rateLimits', ['on', 5, { posts: 'many' }],
      'must be off, or name posts, sync and other as requests a minute, such as posts=20,sync=30,other=600'],
    ['trustProxy', ['nonsense', '1', {}], 'must be true, false, how many proxies there are, or their addresses, such as loopback, 10.0.0.0/8'],
    ...['serviceConnectTimeoutMs', 'serviceTimeoutMs', 'hookTimeoutMs', 'requestTimeoutMs']
      .map((name) => [name, [0, -1, 1.5, '5', Infinity], 'must be a whole number of milliseconds above 0'] as const),
    ...['sessionIdleSeconds', 'sessionAbsoluteSeconds', 'syncSeconds', 'idempotencySeconds']
      .map((name) => [name, [0, -1, 1.5, '5', Infinity], 'must be a whole number of seconds above 0'] as const),
  ];
  for (const [path, values, rule] of refused) {
    it(`refuses a ${path} that breaks the rule: ${rule}`, () => {
      const [setting = '', item] = path.split('.');
      for (const value of values) {
        const bent = { [setting]: item === undefined ? value : [value] };
        assert.deepEqual(faultsOf(bent), [`${path}: ${rule}`], JSON.stringify(value));
      }
    });
  }

  it('refuses numbers out of their range and words out of their list', () => {
    const wrong = {
      messageMaxLength: [0, 1_000_001, 1.5], rateLimits: [{ posts: 0 }, { sync: 1.5 }, { post: 1 }], port: [-1, 65_536], adminPort: [-1, 65_536, 'x'], host: [''], secretKey: ['', 5],
      logLevel: ['loud', 5], profiles: ['forget'], trustProxy: [-1, 1.5, null, {}],
    };
    for (const [setting, values] of Object.entries(wrong)) {
      for (const value of values) {
        const faults = faultsOf({ [setting]: value });
        assert.equal(faults.length, 1, setting);
        assert.match(faults[0] ?? '', new RegExp(`^${setting}(?:\\.\\w+)?: .`));
      }
    }
  });

  it('counts the bytes of a cookie secret', () => {
    assert.deepEqual(faultsOf({ cookieSecrets: [COOKIE_SECRET, 'ü'.repeat(16)] }), []);
    assert.deepEqual(faultsOf({ cookieSecrets: ['ü'.repeat(15)] }), ['cookieSecrets.0: must be 32 bytes or more']);
  });

  it('refuses two questions of one name and hooks that are none', () => {
    const field = { name: 'age', type: 'number', label: 'Age' };
    assert.deepEqual(faultsOf({ validation: { fields: [field, field] } }), ['validation: fields: two fields have the same name']);
    assert.deepEqual(faultsOf({ validation: { validate: true, onAccepted: 'yes' } }), [
      'validation.validate: must be a function', 'validation.onAccepted: must be a function',
    ]);
  });
});
