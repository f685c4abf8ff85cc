import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readEnvironment, readSetting, settingOf, unknownVariables, variableOf } from './env.ts';

const directory = mkdtempSync(join(tmpdir(), 'vestibule-env-'));
after(() => { rmSync(directory, { recursive: true }); });

function fileOf(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

/** Every variable of the contract's section 3 that is a setting, a text for it, and the value that the text means. */
const variables: readonly (readonly [variable: string, setting: string, text: string, value: unknown])[] = [
  ['VESTIBULE_SERVICE_URL', 'serviceUrl', 'https://comments.example', 'https://comments.example'],
  ['VESTIBULE_PUBLIC_KEY', 'publicKey', 'key', 'key'],
  ['VESTIBULE_SECRET_KEY', 'secretKey', 'secret', 'secret'],
  ['VESTIBULE_FORUMS', 'forums', 'news, sport ,,', ['news', 'sport']],
  ['VESTIBULE_PUBLIC_URL', 'publicUrl', 'https://www.example.com', 'https://www.example.com'],
  ['VESTIBULE_ALLOWED_ORIGINS', 'allowedOrigins', 'https://a.example,https://b.example', ['https://a.example', 'https://b.example']],
  ['VESTIBULE_REDIRECT_URI', 'redirectUri', 'https://a.example/?verify=1', 'https://a.example/?verify=1'],
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

  it('reads each variable from the file that its name with _FILE points to', () => {
    for (const [variable, setting, text, value] of variables) {
      const path = fileOf(variable, `${text}\n`);
      assert.deepEqual(readEnvironment({ [`${variable}_FILE`]: path }), readAs(setting, value));
    }
  });

  it('takes one newline off the end of a file and nothing else', () => {
    for (const [content, secret] of [['a\n', 'a'], ['a\r\n', 'a'], ['a\n\n', 'a\n'], [' a ', ' a ']] as const) {
      assert.equal(readEnvironment({ VESTIBULE_SECRET_KEY_FILE: fileOf('secret', content) }).settings['secretKey'], secret);
    }
  });

  it('takes an empty text, and an empty file, for absent', () => {
    assert.deepEqual(readEnvironment({ VESTIBULE_SECRET_KEY: '', VESTIBULE_FORUMS_FILE: '' }).settings, {});
    assert.deepEqual(readEnvironment({ VESTIBULE_SECRET_KEY_FILE: fileOf('empty', '\n') }).settings, {});
  });

  it('names a file that cannot be read, and a variable that is set twice, without a value or a path', () => {
    const { settings, faults } = readEnvironment({
      VESTIBULE_SECRET_KEY_FILE: join(directory, 'missing-canary'),
      VESTIBULE_PUBLIC_KEY: 'canary',
      VESTIBULE_PUBLIC_KEY_FILE: fileOf('public-canary', 'canary'),
    });
    assert.deepEqual(settings, {});
    assert.deepEqual(faults, [
      'VESTIBULE_PUBLIC_KEY: is set twice, as itself and by VESTIBULE_PUBLIC_KEY_FILE',
      'VESTIBULE_SECRET_KEY_FILE: the file cannot be read',
    ]);
  });

  it('reads the path of the configuration file', () => {
    assert.equal(readEnvironment({ VESTIBULE_CONFIG: './vestibule.config.ts' }).configPath, './vestibule.config.ts');
  });

  it('leaves alone what is no setting of ours', () => {
    assert.deepEqual(readEnvironment({ PATH: '/bin', VESTIBULE_NONSENSE: '1' }), { settings: {}, configPath: undefined, faults: [] });
  });
});

describe('unknownVariables', () => {
  it('names what looks like a setting and is none', () => {
    const known = [...variables.map(([variable]) => variable), 'VESTIBULE_CONFIG'];
    const environment = Object.fromEntries([...known, ...known.map((name) => `${name}_FILE`), 'PATH', 'HOSTNAME'].map((name) => [name, 'canary']));
    assert.deepEqual(unknownVariables(environment), []);
    assert.deepEqual(unknownVariables({ ...environment, VESTIBULE_FORUM: 'a', VESTIBULE_FILE: 'b' }), ['VESTIBULE_FILE', 'VESTIBULE_FORUM']);
  });
});

describe('variableOf, settingOf', () => {
  it('name each other', () => {
    for (const [variable, setting] of variables) {
      assert.equal(variableOf(setting), variable);
      assert.equal(settingOf(variable), setting);
    }
    assert.equal(variableOf('validation'), 'validation');
    assert.equal(settingOf('validation'), undefined);
  });
});

describe('readSetting', () => {
  it('turns the text of a variable into its value', () => {
    assert.deepEqual(readSetting('forums', 'a,b'), ['a', 'b']);
    assert.equal(readSetting('nonsense', 'a'), undefined);
  });
});
