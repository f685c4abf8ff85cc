import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { COOKIE_SECRET, SECRET_KEY, validConfig } from './_valid-config.ts';
import { ConfigError, UNREAD, type Config } from './config.ts';
import { loadConfig, readConfig, readSettings, type Environment } from './load.ts';

const directory = mkdtempSync(join(tmpdir(), 'vestibule-config-'));
after(() => { rmSync(directory, { recursive: true }); });

const environment = {
  VESTIBULE_SERVICE_URL: 'https://comments.example',
  VESTIBULE_PUBLIC_KEY: 'public-key',
  VESTIBULE_SECRET_KEY: SECRET_KEY,
  VESTIBULE_FORUMS: 'news',
  VESTIBULE_PUBLIC_URL: 'https://www.example.com/vestibule',
  VESTIBULE_COOKIE_SECRETS: COOKIE_SECRET,
};

function fileOf(name: string, content: string | Buffer): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

async function loadFile(name: string, content: string, variables: Environment = environment): Promise<Config> {
  return readConfig({ ...variables, VESTIBULE_CONFIG: fileOf(name, content) });
}

async function faultsOf(loading: Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await loading.then(() => undefined, (reason: unknown) => reason);
  assert.ok(error instanceof ConfigError, String(error));
  return error.faults;
}

/** A variable, its setting, a text, and the value of the text. Texts that do not convert stay as they are. */
const variables: readonly (readonly [variable: string, setting: string, text: string, value: unknown])[] = [
  ['VESTIBULE_SERVICE_URL', 'serviceUrl', 'https://comments.example', 'https://comments.example'],
  ['VESTIBULE_FORUMS', 'forums', 'news, sport ,,', ['news', 'sport']],
  ['VESTIBULE_ALLOWED_ORIGINS', 'allowedOrigins', 'https://a.example,https://b.example', ['https://a.example', 'https://b.example']],
  ['VESTIBULE_PROFILE_DAYS', 'profileDays', '30', 30],
  ['VESTIBULE_REQUIRE_PROVEN_USER', 'requireProvenUser', 'true', true],
  ['VESTIBULE_REQUIRE_PROVEN_USER', 'requireProvenUser', 'no', 'no'],
  ['VESTIBULE_COOKIE_SECRETS', 'cookieSecrets', 'new\r\nold, older\n\n', ['new', 'old', 'older']],
  ['VESTIBULE_RATE_LIMITS', 'rateLimits', 'posts=5, sync=6 ,other=7', { posts: 5, sync: 6, other: 7 }],
  ['VESTIBULE_RATE_LIMITS', 'rateLimits', 'off', 'off'],
  ['VESTIBULE_RATE_LIMITS', 'rateLimits', 'posts=5,sync=many', 'posts=5,sync=many'],
  ['VESTIBULE_MESSAGE_MAX_LENGTH', 'messageMaxLength', '5e2', '5e2'],
  ['VESTIBULE_TRUST_PROXY', 'trustProxy', 'true', true],
  ['VESTIBULE_TRUST_PROXY', 'trustProxy', '1', 1],
  ['VESTIBULE_TRUST_PROXY', 'trustProxy', 'loopback, 10.0.0.0/8', 'loopback, 10.0.0.0/8'],
  ['HOST', 'host', '0.0.0.0', '0.0.0.0'],
  ['PORT', 'port', '0', 0],
  ['PORT', 'port', '-1', '-1'],
  ['LOG_LEVEL', 'logLevel', 'debug', 'debug'],
];

describe('readSettings', () => {
  it('reads each variable, and the same from the file that NAME_FILE names', async () => {
    for (const [variable, setting, text, value] of variables) {
      for (const environment of [{ [variable]: text }, { [`${variable}_FILE`]: fileOf(variable, `${text}\n`) }]) {
        const { settings, faults } = await readSettings(environment);
        assert.deepEqual({ settings, faults }, { settings: { [setting]: value }, faults: [] });
      }
    }
  });

  it('takes an empty text for a variable that is not set, and ignores other variables', async () => {
    assert.deepEqual((await readSettings({ VESTIBULE_SECRET_KEY: '', VESTIBULE_FORUMS_FILE: '', PATH: '/bin', VESTIBULE_NONSENSE: '1' })).settings, {});
  });

  it('takes a byte order mark and line ends off a file; UTF-16 and a value in quotes are faults', async () => {
    const read = (content: string | Buffer) => readSettings({ VESTIBULE_SECRET_KEY_FILE: fileOf('encoded', content) });
    assert.deepEqual((await read('\ufeffsecret\r\n\n')).settings, { secretKey: 'secret' });
    for (const content of [Buffer.from('\ufeffsecret', 'utf16le'), '"secret"\n']) {
      assert.match(String((await read(content)).faults), /^VESTIBULE_SECRET_KEY/);
    }
  });

  it('reports an empty file, an unreadable one, and a variable that is set twice, without value and path', async () => {
    const { settings, faults } = await readSettings({
      VESTIBULE_SECRET_KEY_FILE: join(directory, 'missing-canary'),
      VESTIBULE_PUBLIC_KEY: 'canary',
      VESTIBULE_PUBLIC_KEY_FILE: fileOf('public-canary', 'canary'),
      VESTIBULE_COOKIE_SECRETS_FILE: fileOf('empty', '\n'),
    });
    assert.deepEqual(settings, { publicKey: UNREAD, secretKey: UNREAD, cookieSecrets: UNREAD });
    assert.deepEqual(faults, [
      'VESTIBULE_PUBLIC_KEY: is set twice; unset VESTIBULE_PUBLIC_KEY or VESTIBULE_PUBLIC_KEY_FILE',
      'VESTIBULE_SECRET_KEY_FILE: the file cannot be read; check its path and permissions',
      'VESTIBULE_COOKIE_SECRETS_FILE: the file is empty; write the value into it',
    ]);
  });
});

describe('readConfig', () => {
  it('accepts a JSON file alone', async () => {
    const config = await loadFile('whole.json', JSON.stringify({ $schema: './schema.json', ...validConfig() }), {});
    assert.deepEqual(config.forums, ['news', 'sport']);
  });

  it('runs a module with questions and hooks', async () => {
    for (const name of ['questions.mjs', 'questions.ts']) {
      const { validation } = await loadFile(name, `export default {
        validation: { fields: [{ name: 'age', type: 'number', label: 'Age' }], validate: () => ({ ok: true }), async onAccepted() {} },
      };`);
      assert.deepEqual(validation.fields.map(({ name, required, onFail }) => [name, required, onFail]), [['age', false, 'correct']]);
      assert.equal(typeof validation.validate, 'function');
      assert.equal(typeof validation.onAccepted, 'function');
    }
  });

  it('prefers the environment to the file and the file to the defaults', async () => {
    const config = await loadFile('over.json', '{ "port": 1, "logLevel": "warn" }', { ...environment, PORT: '2' });
    assert.deepEqual([config.port, config.logLevel, config.host], [2, 'warn', '127.0.0.1']);
  });

  it('reports the faults of the environment and the file together, by the names of variables', async () => {
    const { VESTIBULE_SERVICE_URL: _, ...rest } = environment;
    assert.deepEqual(await faultsOf(loadFile('faults.json', '{ "port": "seven", "typo": 1, "sites": [], "toString": 1, "rateLimits": { "post": 1 }, "validation": { "fields": [{}] } }', {
      ...rest, VESTIBULE_FORUMS: '', VESTIBULE_STORE_FILE: join(directory, 'missing'), LOG_LEVEL: 'loud',
    })), [
      'VESTIBULE_STORE_FILE: the file cannot be read; check its path and permissions',
      'VESTIBULE_SERVICE_URL: is required; must be an http or https URL such as https://comments.example.net. Base URL of the comment service.',
      'VESTIBULE_FORUMS: is required; must contain at least one forum short name, such as news. Forum short names; the first is the default.',
      'PORT: must be a whole number from 0 to 65535, such as 8080',
      'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent',
      'validation.fields, item 1, name: must start with a letter or _ and contain only letters, digits, - and _, such as "age"',
      'validation.fields, item 1, type: must be one of text, email, number, date, select, checkbox',
      'validation.fields, item 1, label: must be a text such as "Your age", or texts by language such as { "en": "Your age", "de": "Ihr Alter" }',
      'VESTIBULE_RATE_LIMITS.post: is not a setting',
      'typo: is not a setting',
      'sites: is not a setting',
      'toString: is not a setting',
    ]);
  });

  it('says that a configuration file cannot be used and what to do, without repeating its content', async () => {
    for (const name of ['missing.json', 'missing.mjs']) {
      const missing = await faultsOf(readConfig({ ...environment, VESTIBULE_CONFIG: join(directory, name) }));
      assert.deepEqual(missing, ['VESTIBULE_CONFIG: the file cannot be read; check its path and permissions'], name);
    }
    const noObject = 'must contain an object, a module as its default export';
    const notRun = (reason: string) => `the module cannot be run (${reason}); "node FILE" shows why; a module is best named .mjs`;
    const unusable = [
      ['broken.json', '{\n  "secretKey": "canary', 'the file is not valid JSON (line 2 column 23)'],
      ['broken.mjs', 'export default { secretKey: "canary', notRun('SyntaxError')],
      ['broken.ts', 'export default { secretKey: "canary', notRun('ERR_INVALID_TYPESCRIPT_SYNTAX')],
      ['throws.mjs', '\n\nthrow new RangeError("canary");', notRun('RangeError')],
      ['throws-text.mjs', 'throw "canary";', notRun('an exception')],
      ['package.mjs', 'import "@not/installed";', notRun('ERR_MODULE_NOT_FOUND')],
      ['settings.yaml', 'secretKey: canary', notRun('ERR_UNKNOWN_FILE_EXTENSION')],
      ['list.json', '[]', noObject],
      ['null.json', 'null', noObject],
      ['nothing.mjs', 'export const config = {};', noObject],
    ] as const;
    for (const [name, content, fault] of unusable) {
      const faults = await faultsOf(loadFile(name, content));
      assert.deepEqual(faults, [`VESTIBULE_CONFIG: ${fault}`], name);
      assert.doesNotMatch(faults.join(), /canary/, name);
    }
  });
});

describe('loadConfig', () => {
  it('returns what the library takes, and refuses what serve refuses', async () => {
    const config = await loadConfig({ ...environment, PORT: '0', VESTIBULE_CONFIG: fileOf('library.json', '{ "hookTimeoutMs": 7 }') });
    assert.deepEqual([config.forums, config.port, config.hookTimeoutMs, config.secretKey], [['news'], 0, 7, SECRET_KEY]);
    assert.deepEqual(await faultsOf(loadConfig({ ...environment, PORT: 'x' })), ['PORT: must be a whole number from 0 to 65535, such as 8080']);
  });
});
