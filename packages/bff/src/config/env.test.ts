import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readEnvironment, readSetting, settingOf, unknownVariables, UNREAD, variableOf } from './env.ts';

const directory = mkdtempSync(join(tmpdir(), 'vestibule-env-'));
after(() => { rmSync(directory, { recursive: true }); });

function fileOf(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

/** A variable, its setting, a text, and the value of the text. */
const variables: readonly (readonly [variable: string, setting: string, text: string, value: unknown])[] = [
  ['VESTIBULE_SERVICE_URL', 'serviceUrl', 'https://comments.example', 'https://comments.example'],
  ['VESTIBULE_PUBLIC_KEY', 'publicKey', 'key', 'key'],
  ['VESTIBULE_SECRET_KEY', 'secretKey', 'secret', 'secret'],
  ['VESTIBULE_FORUMS', 'forums', 'news, sport ,,', ['news', 'sport']],
  ['VESTIBULE_PUBLIC_URL', 'publicUrl', 'https://www.example.com', 'https://www.example.com'],
  ['VESTIBULE_ALLOWED_ORIGINS', 'allowedOrigins', 'https://a.example,https://b.example', ['https://a.example', 'https://b.example']],
  ['VESTIBULE_REDIRECT_URI', 'redirectUri', 'https://a.example/?verify=1', 'https://a.example/?verify=1'],
  ['VESTIBULE_EMBEDDED_URL', 'embeddedUrl', 'https://comments.example/start', 'https://comments.example/start'],
  ['VESTIBULE_PROFILES', 'profiles', 'discard', 'discard'],
  ['VESTIBULE_PROFILE_DAYS', 'profileDays', '30', 30],
  ['VESTIBULE_REQUIRE_PROVEN_USER', 'requireProvenUser', 'true', true],
  ['VESTIBULE_REQUIRE_PROVEN_USER', 'requireProvenUser', 'false', false],
  ['VESTIBULE_REQUIRE_PROVEN_USER', 'requireProvenUser', 'no', 'no'],
  ['VESTIBULE_COOKIE_SECRETS', 'cookieSecrets', 'new,old', ['new', 'old']],
  ['VESTIBULE_STORE', 'store', 'memory:', 'memory:'],
  ['VESTIBULE_RATE_LIMITS', 'rateLimits', 'posts=5, sync=6 ,other=7', { posts: 5, sync: 6, other: 7 }],
  ['VESTIBULE_RATE_LIMITS', 'rateLimits', 'off', 'off'],
  ['VESTIBULE_RATE_LIMITS', 'rateLimits', 'posts', 'posts'],
  ['VESTIBULE_RATE_LIMITS', 'rateLimits', 'posts=5,sync=many', 'posts=5,sync=many'],
  ['VESTIBULE_RATE_LIMITS', 'rateLimits', 'canary=5', 'canary=5'],
  ['VESTIBULE_MESSAGE_MAX_LENGTH', 'messageMaxLength', '500', 500],
  ['VESTIBULE_MESSAGE_MAX_LENGTH', 'messageMaxLength', '5e2', '5e2'],
  ['VESTIBULE_TRUST_PROXY', 'trustProxy', 'true', true],
  ['VESTIBULE_TRUST_PROXY', 'trustProxy', 'false', false],
  ['VESTIBULE_TRUST_PROXY', 'trustProxy', '1', 1],
  ['VESTIBULE_TRUST_PROXY', 'trustProxy', 'loopback, 10.0.0.0/8', 'loopback, 10.0.0.0/8'],
  ['VESTIBULE_ADMIN_PORT', 'adminPort', '9090', 9090],
  ['VESTIBULE_WIDGET_ARCHIVE', 'widgetArchive', '/var/lib/vestibule/widget', '/var/lib/vestibule/widget'],
  ['HOST', 'host', '0.0.0.0', '0.0.0.0'],
  ['PORT', 'port', '0', 0],
  ['PORT', 'port', '-1', '-1'],
  ['LOG_LEVEL', 'logLevel', 'debug', 'debug'],
];

const readAs = (setting: string, value: unknown) => ({ settings: { [setting]: value }, configPath: undefined, faults: [] });

describe('readEnvironment', () => {
  for (const [variable, setting, text, value] of variables) {
    it(`reads ${variable}=${text}`, () => {
      assert.deepEqual(readEnvironment({ [variable]: text }), readAs(setting, value));
    });
  }

  it('reads lists with an item in each line', () => {
    for (const [variable, setting] of [['VESTIBULE_COOKIE_SECRETS', 'cookieSecrets'], ['VESTIBULE_FORUMS', 'forums'], ['VESTIBULE_ALLOWED_ORIGINS', 'allowedOrigins']]) {
      const { settings } = readEnvironment({ [`${variable}_FILE`]: fileOf('list', 'new\r\nold, older\n\n') });
      assert.deepEqual(settings[setting as string], ['new', 'old', 'older']);
    }
  });

  it('reads each variable from the file that NAME_FILE names', () => {
    for (const [variable, setting, text, value] of variables) {
      const path = fileOf(variable, `${text}\n`);
      assert.deepEqual(readEnvironment({ [`${variable}_FILE`]: path }), readAs(setting, value));
    }
  });

  it('removes one newline from the end of a file and nothing else', () => {
    for (const [content, secret] of [['a\n', 'a'], ['a\r\n', 'a'], ['a\n\n', 'a\n'], [' a ', ' a ']] as const) {
      assert.equal(readEnvironment({ VESTIBULE_SECRET_KEY_FILE: fileOf('secret', content) }).settings['secretKey'], secret);
    }
  });

  it('treats an empty text as not set', () => {
    assert.deepEqual(readEnvironment({ VESTIBULE_SECRET_KEY: '', VESTIBULE_FORUMS_FILE: '' }).settings, {});
  });

  it('reports an empty file', () => {
    const { settings, faults } = readEnvironment({ VESTIBULE_SECRET_KEY_FILE: fileOf('empty', '\n') });
    assert.deepEqual(settings, { secretKey: UNREAD });
    assert.deepEqual(faults, ['VESTIBULE_SECRET_KEY_FILE: the file is empty; write the value into it, or unset VESTIBULE_SECRET_KEY_FILE']);
  });

  it('reports an unreadable file and a variable that is set twice, without value and path', () => {
    const { settings, faults } = readEnvironment({
      VESTIBULE_SECRET_KEY_FILE: join(directory, 'missing-canary'),
      VESTIBULE_PUBLIC_KEY: 'canary',
      VESTIBULE_PUBLIC_KEY_FILE: fileOf('public-canary', 'canary'),
    });
    assert.deepEqual(settings, { publicKey: UNREAD, secretKey: UNREAD });
    assert.deepEqual(faults, [
      'VESTIBULE_PUBLIC_KEY: is set twice; unset VESTIBULE_PUBLIC_KEY or VESTIBULE_PUBLIC_KEY_FILE',
      'VESTIBULE_SECRET_KEY_FILE: the file cannot be read; check its path and permissions',
    ]);
  });

  it('reads the path of the configuration file', () => {
    assert.equal(readEnvironment({ VESTIBULE_CONFIG: './vestibule.config.ts' }).configPath, './vestibule.config.ts');
  });

  it('ignores variables that are not settings', () => {
    assert.deepEqual(readEnvironment({ PATH: '/bin', VESTIBULE_NONSENSE: '1' }), { settings: {}, configPath: undefined, faults: [] });
  });
});

describe('unknownVariables', () => {
  it('returns VESTIBULE_ variables that are not settings', () => {
    const known = [...variables.map(([variable]) => variable), 'VESTIBULE_CONFIG'];
    const environment = Object.fromEntries([...known, ...known.map((name) => `${name}_FILE`), 'PATH', 'HOSTNAME'].map((name) => [name, 'canary']));
    assert.deepEqual(unknownVariables(environment), []);
    assert.deepEqual(unknownVariables({ ...environment, VESTIBULE_FORUM: 'a', VESTIBULE_FILE: 'b' }), ['VESTIBULE_FILE', 'VESTIBULE_FORUM']);
  });
});

describe('variableOf, settingOf', () => {
  it('are inverse to each other', () => {
    for (const [variable, setting] of variables) {
      assert.equal(variableOf(setting), variable);
      assert.equal(settingOf(variable), setting);
    }
    assert.equal(variableOf('validation'), 'validation');
    assert.equal(settingOf('validation'), undefined);
  });
});

describe('readSetting', () => {
  it('converts the text of a variable', () => {
    assert.deepEqual(readSetting('forums', 'a,b'), ['a', 'b']);
    assert.equal(readSetting('nonsense', 'a'), undefined);
  });
});
