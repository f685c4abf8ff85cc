import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { COOKIE_SECRET, SECRET_KEY, validConfig } from './_valid-config.ts';
import { ConfigError, UNREAD, type Config } from './config.ts';
import { readSettings, type Environment } from './load.ts';
import { loadConfig, loadSites, type SiteConfig } from './sites.ts';

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
  const sites = await loadSites({ ...variables, VESTIBULE_CONFIG: fileOf(name, content) });
  assert.equal(sites.length, 1);
  return sites[0];
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

describe('loadSites', () => {
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

  it('reads a file for a value of the file, as in an entry of sites', async () => {
    const { VESTIBULE_SECRET_KEY: _, ...rest } = environment;
    const secretKeyFile = fileOf('secret-of-file', 'from-a-file\n');
    assert.equal((await loadFile('files.json', JSON.stringify({ secretKeyFile }), rest)).secretKey, 'from-a-file');
    assert.equal((await loadFile('files.json', JSON.stringify({ secretKeyFile }))).secretKey, SECRET_KEY);
    assert.deepEqual(await faultsOf(loadFile('files.json', JSON.stringify({ secretKeyFile: join(directory, 'canary') }), rest)), [
      'secretKeyFile: the file cannot be read; check its path and permissions',
    ]);
  });

  it('prefers the environment to the file and the file to the defaults', async () => {
    const config = await loadFile('over.json', '{ "port": 1, "logLevel": "warn" }', { ...environment, PORT: '2' });
    assert.deepEqual([config.port, config.logLevel, config.host], [2, 'warn', '127.0.0.1']);
  });

  it('reports the faults of the environment and the file together, by the names of variables', async () => {
    const { VESTIBULE_SERVICE_URL: _, ...rest } = environment;
    assert.deepEqual(await faultsOf(loadFile('faults.json', '{ "port": "seven", "typo": 1, "rateLimits": { "post": 1 }, "validation": { "fields": [{}] } }', {
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
    ]);
  });

  it('says that a configuration file cannot be used and what to do, without repeating its content', async () => {
    for (const name of ['missing.json', 'missing.mjs']) {
      const missing = await faultsOf(loadSites({ ...environment, VESTIBULE_CONFIG: join(directory, name) }));
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

describe('loadSites with sites', () => {
  const PAPERS = ['https://www.courier.example/vestibule', 'https://www.gazette.example'] as const;
  const entries: readonly [SiteConfig, SiteConfig] = [
    { publicUrl: PAPERS[0], forums: ['courier'] }, { publicUrl: PAPERS[1], forums: ['gazette'], allowedOrigins: ['https://gazette.example'] },
  ];
  let count = 0;
  const load = (sites: unknown, rest: object = {}, variables: Readonly<Record<string, string>> = environment) => (
    loadSites({ ...variables, VESTIBULE_CONFIG: fileOf(`sites-${count += 1}.json`, JSON.stringify({ sites, ...rest })) })
  );
  const with0 = (members: object) => [{ ...entries[0], ...members }, entries[1]];

  it('gives each entry the rest of the file and the environment, except what tells sites apart', async () => {
    const [courier, gazette] = await load(entries, { hookTimeoutMs: 7, redirectUri: 'https://x.example/back', port: 81, site: { name: 'Group' } }, {
      ...environment, VESTIBULE_ALLOWED_ORIGINS: 'https://x.example', VESTIBULE_EMBEDDED_URL: 'https://x.example/embed', VESTIBULE_SYNC_SECONDS: '60',
    });
    assert.ok(gazette);
    for (const [i, site] of [courier, gazette].entries()) {
      assert.deepEqual([site.publicUrl, site.redirectUri], [PAPERS[i], `${PAPERS[i]}/sync/return`]);
      assert.deepEqual([site.hookTimeoutMs, site.port, site.syncSeconds, site.embeddedUrl], [7, 81, 60, undefined]);
      assert.deepEqual([site.secretKey, site.site.name], [SECRET_KEY, 'Group']);
    }
    assert.deepEqual([courier.origins, gazette.origins], [
      ['https://www.courier.example'], ['https://gazette.example', 'https://www.gazette.example'],
    ]);
    assert.deepEqual([courier.forums, gazette.forums], [['courier'], ['gazette']]);
    assert.deepEqual([courier.siteKey, gazette.siteKey, gazette.siteHost], ['www.courier.example', 'www.gazette.example', 'www.gazette.example']);
  });

  it('takes the key of an entry, empty too, and a file for a value', async () => {
    const [courier] = await load(with0({ key: '', secretKeyFile: fileOf('secret', 'own-secret\n'), cookieSecretsFile: fileOf('cookies', `${COOKIE_SECRET}1,${COOKIE_SECRET}2`) }));
    assert.deepEqual([courier.siteKey, courier.secretKey], ['', 'own-secret']);
    assert.deepEqual(courier.cookieSecrets, [`${COOKIE_SECRET}1`, `${COOKIE_SECRET}2`]);
  });

  it('names an entry by its public URL, or by its place, and reports a fault of the defaults once', async () => {
    const site = `site ${PAPERS[0]}`;
    const faults = (sites: unknown, rest = {}) => faultsOf(load(sites, rest));
    assert.deepEqual(await faults(with0({ forums: [], rateLimits: { post: 1 }, profileDays: 0 })), [
      `${site}, forums: must contain at least one forum short name, such as news`,
      `${site}, profileDays: must be a whole number of days from 1 to 36500, such as 365`,
      `${site}, rateLimits.post: is not a setting`,
    ]);
    assert.deepEqual(await faults(with0({ typo: 1, port: 80, siteFile: 'x', secretKeyFile: join(directory, 'canary'), publicKey: 'k', publicKeyFile: 'x', key: 'a b' })), [
      `${site}, secretKeyFile: the file cannot be read; check its path and permissions`,
      `${site}, publicKey: is set twice; remove publicKey or publicKeyFile`,
      `${site}, key: must be a text of at most 100 letters, digits, ".", "-" and "_", such as www.example.com`,
      `${site}, port: belongs to the process; set it beside sites`,
      `${site}, typo: is not a setting`,
      `${site}, siteFile: is not a setting`,
    ]);
    assert.deepEqual(await faults(with0({ toString: 1, constructorFile: 'x' })), [
      `${site}, toString: is not a setting`, `${site}, constructorFile: is not a setting`,
    ]);
    assert.deepEqual(await faults([{ ...entries[0], publicUrl: 'https://user:canary@a.example' }, { forums: ['b'] }]), [
      'sites, item 1, publicUrl: must not contain user info, a query or a fragment',
      'sites, item 2, publicUrl: is required; must be an http or https URL such as https://www.example.com/vestibule. URL of the BFF as browsers see it; may include a path.',
    ]);
    assert.deepEqual(await faults(entries, { hookTimeoutMs: 0, typo: 1 }), [
      'VESTIBULE_HOOK_TIMEOUT_MS: must be a whole number of milliseconds from 1 to 86400000, such as 10000', 'typo: is not a setting',
    ]);
    assert.deepEqual(await faults([{ ...entries[0] }, { ...entries[1], publicUrl: `${PAPERS[0]}/other` }]), [
      `site ${PAPERS[0]}/other, publicUrl: another entry has this host name`,
    ]);
    assert.deepEqual(await faults([entries[0], { ...entries[1], key: 'www.courier.example' }]), [`site ${PAPERS[1]}, key: another entry has it`]);
    for (const sites of [[], {}, [1], null]) assert.deepEqual(await faults(sites), ['sites: must be a list of objects, each with publicUrl']);
  });

  it('names what has no effect beside sites, and refuses what no default is', async () => {
    const own = { publicUrl: PAPERS[0], redirectUri: `${PAPERS[0]}/back`, allowedOrigins: [PAPERS[0]], embeddedUrl: `${PAPERS[0]}/embed` };
    const [{ ignored }] = await load(entries, own);
    assert.deepEqual([...ignored].sort(), Object.keys(own).sort());
    const [first] = await load(entries, {}, { ...environment, VESTIBULE_ALLOWED_ORIGINS: PAPERS[0] });
    assert.deepEqual(first.ignored, ['VESTIBULE_PUBLIC_URL', 'VESTIBULE_ALLOWED_ORIGINS']);
    assert.deepEqual(await faultsOf(load(entries, { key: '' })), ['key: is not a setting']);
  });

  it('takes the default for a member of an entry that is undefined', async () => {
    const file = fileOf('undefined.mjs', `export default { sites: [{ publicUrl: '${PAPERS[0]}', forums: undefined, syncSeconds: undefined }] };`);
    const [{ forums, syncSeconds }] = await loadSites({ ...environment, VESTIBULE_SYNC_SECONDS: '60', VESTIBULE_CONFIG: file });
    assert.deepEqual([forums, syncSeconds], [['news'], 60]);
  });

  it('says what no entry and no default has once, and what one entry lacks by its name', async () => {
    const { VESTIBULE_PUBLIC_KEY: _, ...rest } = environment;
    const sentence = 'is required; must be visible ASCII characters without quotes and backslashes. The publisher\'s public key.';
    assert.deepEqual(await faultsOf(load(entries, {}, rest)), [`VESTIBULE_PUBLIC_KEY: ${sentence}`]);
    assert.deepEqual(await faultsOf(load(with0({ publicKey: 'key' }), {}, rest)), [`site ${PAPERS[1]}, publicKey: ${sentence}`]);
  });
});

describe('loadConfig', () => {
  it('returns what the library takes, and refuses what serve refuses', async () => {
    const config = await loadConfig({ ...environment, PORT: '0', VESTIBULE_CONFIG: fileOf('library.json', '{ "hookTimeoutMs": 7 }') });
    assert.deepEqual([config.forums, config.port, config.hookTimeoutMs, config.secretKey], [['news'], 0, 7, SECRET_KEY]);
    assert.deepEqual(await faultsOf(loadConfig({ ...environment, PORT: 'x' })), ['PORT: must be a whole number from 0 to 65535, such as 8080']);
    const sites = fileOf('library-sites.json', '{ "sites": [{}] }');
    assert.deepEqual(await faultsOf(loadConfig({ ...environment, VESTIBULE_CONFIG: sites })), [
      'sites: is for the command; in a program, create an instance for each site',
    ]);
  });
});
