import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COOKIE_SECRET, SECRET_KEY, validConfig } from './_valid-config.ts';
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
  it('fills in every default', () => {
    const { serviceUrl, publicKey, secretKey, forums, publicUrl, cookieSecrets, ...defaults } = parseConfig(validConfig());
    assert.deepEqual({ serviceUrl, publicKey, secretKey, forums, publicUrl, cookieSecrets }, validConfig());
    assert.partialDeepStrictEqual(defaults, {
      allowedOrigins: ['https://www.example.com'],
      redirectUri: 'https://www.example.com/vestibule/sync/return',
      store: 'sqlite:vestibule.db',
      validation: { fields: [] },
      profiles: 'keep',
      posts: {},
      requireProvenUser: true,
      rateLimits: { posts: 20, sync: 60, other: 600 },
      messageMaxLength: 10_000,
      trustProxy: false,
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
      maxConnections: 10_000,
      maxConnectionsPerAddress: 256,
      drainDelayMs: 0,
      drainTimeoutMs: 25_000,
      sessionIdleSeconds: 1_209_600,
      sessionAbsoluteSeconds: 7_776_000,
      syncSeconds: 900,
      idempotencySeconds: 86_400,
    });
  });

  it('normalizes base URLs and removes trailing slashes', () => {
    const { serviceUrl, publicUrl } = parseConfig(validConfig({ serviceUrl: 'HTTPS://Comments.Example:443/base//', publicUrl: 'HTTPS://www.example.com/v/' }));
    assert.deepEqual([serviceUrl, publicUrl], ['https://comments.example/base', 'https://www.example.com/v']);
  });

  it('keeps the redirect URI and the embedded URL byte for byte', () => {
    for (const url of ['https://www.example.com:443/return?verify=1', 'HTTPS://www.example.com', 'https://www.example.com/a/../b?x=%7e']) {
      const { redirectUri, embeddedUrl } = parseConfig(validConfig({ redirectUri: url, embeddedUrl: url }));
      assert.deepEqual([redirectUri, embeddedUrl], [url, url]);
    }
  });

  it('fills in the rate limits that are left out', () => {
    assert.deepEqual(parseConfig(validConfig({ rateLimits: { posts: 3 } })).rateLimits, { posts: 3, sync: 60, other: 600 });
    assert.equal(parseConfig(validConfig({ rateLimits: 'off' })).rateLimits, 'off');
  });

  it('reports all faults together', () => {
    assert.deepEqual(faultsOf({ serviceUrl: undefined, forums: [], port: 70_000, typo: true }), [
      'serviceUrl: is required; must be an http or https URL such as https://www.example.com/vestibule',
      'forums: must contain at least one forum short name, such as news',
      'port: must be a whole number from 0 to 65535, such as 8080',
      'typo: is not a setting',
    ]);
  });

  it('reports a missing setting as required', () => {
    for (const name of ['serviceUrl', 'publicKey', 'secretKey', 'forums', 'publicUrl', 'cookieSecrets']) {
      const [fault = '', ...more] = faultsOf({ [name]: undefined });
      assert.deepEqual(more, []);
      assert.match(fault, new RegExp(`^${name}: is required; must `));
    }
    assert.deepEqual(faultsOf({ validation: { fields: [{ type: 'text', label: 'Motto' }] } }), [
      'validation.fields, item 1, name: must start with a letter or _ and contain only letters, digits, - and _, such as "age"',
    ]);
  });

  it('uses the caller\'s names of settings', () => {
    assert.throws(
      () => parseConfig(validConfig({ cookieSecrets: ['short'] }), (setting) => setting.toUpperCase()),
      { faults: ['COOKIESECRETS, item 1: must be 32 bytes or more; "openssl rand -base64 32" prints one'] },
    );
  });

  it('refuses anything but an object', () => {
    for (const input of [undefined, null, 'text', 5, []]) {
      assert.throws(() => parseConfig(input), { name: 'ConfigError', faults: ['configuration: must be an object'] });
    }
  });

  it('never repeats a value', () => {
    const everythingWrong = Object.fromEntries(Object.keys(parseConfig(validConfig())).map((name) => [name, 'value-canary']));
    assert.throws(() => parseConfig({ ...everythingWrong, secretKey: { key: SECRET_KEY } }), (error: ConfigError) => {
      assert.ok(error.faults.length > 15);
      assert.doesNotMatch(`${error.message}${error.stack}`, /canary/);
      return true;
    });
  });

  const urlRule = 'must be an http or https URL such as https://www.example.com/vestibule';
  const baseUrlRule = 'must not contain user info, a query or a fragment';
  const exactUrlRule = 'must not contain user info, a fragment or white space';
  const callbackRule = 'must not contain a parameter of the callback (code, username, user_id, audiencesync_uri, error, success)';
  const secretKeyRule = 'must be the secret key of the service, not a placeholder';
  const refused: readonly (readonly [setting: string, values: readonly unknown[], rule: string])[] = [
    ['serviceUrl', ['nonsense', 'ftp://comments.example', '//comments.example', '', 5], urlRule],
    ['serviceUrl', [
      'https://u@comments.example', 'https://u:p@comments.example', 'https://comments.example?a=1', 'https://comments.example#a', 'https://comments.example/?',
    ], baseUrlRule],
    ['publicUrl', ['www.example.com', 'javascript:alert(1)'], urlRule],
    ['redirectUri', ['nonsense', '/sync/return', 'javascript:alert(1)'], urlRule],
    ['redirectUri', ['https://u@a.example', 'https://a.example/#', 'https://a.example/#a', ' https://a.example', 'https://a.example/a b'], exactUrlRule],
    ['redirectUri', ['https://a.example/?code=1', 'https://a.example/?a=1&success', 'https://a.example/?%65rror=1'], callbackRule],
    ['embeddedUrl', ['nonsense', '/start', 'javascript:alert(1)'], urlRule],
    ['embeddedUrl', ['https://u@a.example', 'https://a.example/#a', 'https://a.example/ ', 'https://a.example/\t'], exactUrlRule],
    ['publicKey', ['', 'a"b', 'a\\b', 'a b', 'ä', 'a\r\nb', '…', 5], 'must be visible ASCII characters without quotes and backslashes'],
    ['publicKey', ['replace-me', '...', 'REPLACE_ME'], 'must not be a placeholder of an example'],
    ['secretKey', ['', '…', '...', ' ', 5, 'replace-me', 'your secret key'], secretKeyRule],
    ['forums, item 1', ['', 'a b', 5], 'must be a forum short name of letters, digits, - and _, such as news'],
    ['allowedOrigins, item 1', ['https://www.example.com/', 'www.example.com', 'null', '*', 'HTTPS://www.example.com', 'https://www.example.com:443', 'file://'],
      'must be an origin such as https://www.example.com, without a path'],
    ['cookieSecrets, item 1', ['', 'x'.repeat(31), '…'], 'must be 32 bytes or more; "openssl rand -base64 32" prints one'],
    ['cookieSecrets, item 1', ['…'.repeat(20), 'a secret of 32 bytes or more, the same after every start'], 'must not be a placeholder of an example'],
    ['store', ['vestibule.db', 'sqlite:', 'mysql://host', 'redis:host', 'memory', 'rediss+cluster:'],
      'must be sqlite:PATH, redis://HOST:PORT, redis+cluster://HOST:PORT,…, redis+sentinel://HOST:PORT,…/MASTER, with rediss for TLS, or memory:, such as sqlite:vestibule.db'],
    ['rateLimits', ['on', 5, { posts: 'many' }], 'must be off, or requests per minute such as posts=20,sync=60,other=600'],
    ['trustProxy', ['nonsense', '1', {}], 'must be true, false, the number of proxies, or their addresses, such as loopback, 10.0.0.0/8'],
    ['requireProvenUser', ['yes', 0, null], 'must be true or false'],
    ['profiles', ['forget', true], 'must be keep or discard'],
    ['profileDays', [0, 36_501, 1.5, '30'], 'must be a whole number of days from 1 to 36500, such as 365'],
    ['logLevel', ['loud', 5], 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['port', [-1, 65_536, '80', NaN], 'must be a whole number from 0 to 65535, such as 8080'],
    ['serviceMaxQueued', [-1, 1.5], 'must be a whole number, 0 or more, such as 1000'],
    ['serviceTimeoutMs', [0, -1, 1.5, '5', Infinity, 86_400_001, 3_000_000_000], 'must be a whole number of milliseconds from 1 to 86400000, such as 10000'],
    ['sessionIdleSeconds', [0, -1, 1.5, '5', Infinity], 'must be a whole number of seconds, 1 or more, such as 1209600'],
    ['validation', [5, []], 'must be an object with fields, validate and onAccepted, all optional'],
    ['posts', [5, []], 'must be an object with prepare and list, both optional'],
  ];
  for (const [path, values, rule] of refused) {
    it(`refuses values of ${path}: ${rule}`, () => {
      const [setting = '', item] = path.split(', ');
      for (const value of values) {
        const changes = { [setting]: item === undefined ? value : [value] };
        assert.deepEqual(faultsOf(changes), [`${path}: ${rule}`], JSON.stringify(value));
      }
    });
  }

  it('reports one fault for a wrong number or word', () => {
    const wrong = {
      messageMaxLength: [0, 1_000_001, 1.5], rateLimits: [{ posts: 0 }, { sync: 1.5 }, { post: 1 }], port: [-1, 65_536], adminPort: [-1, 65_536, 'x'], host: [''], widgetArchive: ['', 5], secretKey: ['', 5],
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

  it('speaks in words, not in a validator\'s terms', () => {
    const field = { name: 'age', type: 'number', label: 'Age' };
    const wrong: readonly unknown[] = ['canary', 1.5, null, {}, [], [{}], true, NaN, () => undefined, { fields: 'canary' }, { prepare: 5 }];
    const members = ['name', 'type', 'label', 'help', 'required', 'min', 'max', 'min_length', 'max_length', 'pattern', 'options', 'onFail'];
    const faults = wrong.flatMap((value) => [
      ...Object.keys(parseConfig(validConfig())).flatMap((setting) => faultsOf({ [setting]: value })),
      ...members.flatMap((member) => faultsOf({ validation: { fields: [{ ...field, [member]: value }] } })),
    ]);
    assert.ok(faults.length > 200);
    for (const fault of faults) assert.doesNotMatch(fault, /Invalid|expected|received|Too (?:small|big)|Unrecognized|NaN|undefined/i);
  });

  it('measures a cookie secret in bytes', () => {
    assert.deepEqual(faultsOf({ cookieSecrets: [COOKIE_SECRET, 'ü'.repeat(16)] }), []);
    assert.deepEqual(faultsOf({ cookieSecrets: ['ü'.repeat(15)] }), ['cookieSecrets, item 1: must be 32 bytes or more; "openssl rand -base64 32" prints one']);
  });

  it('refuses two fields with one name, and hooks that are not functions', () => {
    const field = { name: 'age', type: 'number', label: 'Age' };
    assert.deepEqual(faultsOf({ validation: { fields: [field, field] } }), ['validation.fields: must not contain two fields with the same name']);
    assert.deepEqual(faultsOf({ validation: { validate: true, onAccepted: 'yes' } }), [
      'validation.validate: must be a function', 'validation.onAccepted: must be a function',
    ]);
    assert.deepEqual(faultsOf({ posts: { prepare: {}, list: 1 } }), ['posts.prepare: must be a function', 'posts.list: must be a function']);
  });
});
