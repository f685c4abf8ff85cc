import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, describe, it } from 'node:test';
import { COOKIE_SECRET, SECRET_KEY, validConfig } from './_valid-config.ts';
import { ConfigError, type Config } from './config.ts';
import { defineConfig, loadConfig } from './load-config.ts';

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

function fileOf(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

function loadFile(name: string, content: string, variables: Readonly<Record<string, string>> = environment): Promise<Config> {
  return loadConfig({ ...variables, VESTIBULE_CONFIG: fileOf(name, content) });
}

async function faultsOf(loading: Promise<Config>): Promise<readonly string[]> {
  const error: unknown = await loading.then(() => undefined, (reason: unknown) => reason);
  assert.ok(error instanceof ConfigError, String(error));
  return error.faults;
}

describe('loadConfig', () => {
  it('is content with the environment alone', async () => {
    const { serviceUrl, forums, port } = await loadConfig(environment);
    assert.deepEqual({ serviceUrl, forums, port }, { serviceUrl: 'https://comments.example', forums: ['news'], port: 8080 });
  });

  it('is content with a JSON file alone', async () => {
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

  it('takes the path from the working directory', async () => {
    const path = relative(process.cwd(), fileOf('relative.mjs', 'export default { port: 4711 };'));
    assert.equal((await loadConfig({ ...environment, VESTIBULE_CONFIG: path })).port, 4711);
  });

  it('puts the environment over the file and the file over the defaults', async () => {
    const config = await loadFile('over.json', '{ "port": 1, "logLevel": "warn" }', { ...environment, PORT: '2' });
    assert.deepEqual([config.port, config.logLevel, config.host], [2, 'warn', '127.0.0.1']);
  });

  it('lets a file name a setting as the environment does, the environment still over it', async () => {
    const config = await loadFile('variables.json', '{ "VESTIBULE_FORUMS": "a,b", "PORT": "7", "VESTIBULE_MESSAGE_MAX_LENGTH": 9 }', {
      ...environment, VESTIBULE_FORUMS: 'news', LOG_LEVEL: 'error',
    });
    assert.deepEqual([config.forums, config.port, config.messageMaxLength, config.logLevel], [['news'], 7, 9, 'error']);
  });

  it('names every fault of the environment and of the file at once, by the names of the environment', async () => {
    const { VESTIBULE_SERVICE_URL: _, ...rest } = environment;
    assert.deepEqual(await faultsOf(loadFile('faults.json', '{ "port": "seven", "typo": 1, "rateLimits": { "post": 1 }, "validation": { "fields": [{}] } }', {
      ...rest, VESTIBULE_FORUMS: '', VESTIBULE_STORE_FILE: join(directory, 'missing'), LOG_LEVEL: 'loud',
    })), [
      'VESTIBULE_STORE_FILE: the file cannot be read',
      'VESTIBULE_SERVICE_URL: is required',
      'VESTIBULE_FORUMS: is required',
      'validation.fields.0.name: Invalid input: expected string, received undefined',
      'validation.fields.0.type: Invalid option: expected one of "text"|"email"|"number"|"date"|"select"|"checkbox"',
      'validation.fields.0.label: must be a text, or texts by language',
      'VESTIBULE_RATE_LIMITS.post: is not a setting',
      'PORT: Invalid input: expected number, received string',
      'LOG_LEVEL: Invalid option: expected one of "fatal"|"error"|"warn"|"info"|"debug"|"trace"|"silent"',
      'typo: is not a setting',
    ]);
  });

  it('ends at a fault of reading although every setting is there', async () => {
    assert.deepEqual(
      await faultsOf(loadConfig({ ...environment, HOST_FILE: join(directory, 'missing') })),
      ['HOST_FILE: the file cannot be read'],
    );
  });

  it('says of a configuration file what is wrong with it, and nothing that stands in it', async () => {
    for (const name of ['missing.json', 'missing.mjs']) {
      const missing = await faultsOf(loadConfig({ ...environment, VESTIBULE_CONFIG: join(directory, name) }));
      assert.deepEqual(missing, ['VESTIBULE_CONFIG: there is no such file'], name);
    }
    const syntax = 'the file, or one that it imports, has a syntax error; node --check shows where';
    const unreadable = [
      ['broken.json', '{\n  "secretKey": "canary', 'the file is no JSON, see line 2, column 23'],
      ['quoted.json', '{ "secretKey": canary }', 'the file is no JSON'],
      ['broken.mjs', 'export default { secretKey: "canary', syntax],
      ['broken.ts', 'export default { secretKey: "canary', syntax],
      ['enum.ts', 'enum Canary { A }', syntax],
      ['imports.mjs', 'import { canary } from "node:fs";', syntax],
      ['throws.mjs', '\n\nthrow new RangeError("canary");', 'the file cannot be read or run: line 3 threw RangeError'],
      ['calls.mjs', 'const fail = () => {\n  canary();\n};\nfail();', 'the file cannot be read or run: line 2 threw ReferenceError'],
      ['throws-text.mjs', 'throw "canary";', 'the file cannot be read or run'],
      ['named.mjs', 'throw Object.assign(new Error(), { name: "canary" });', 'the file cannot be read or run: line 1 threw an error'],
      ['package.mjs', 'import "@not/installed";', 'the file imports @not/installed, which cannot be found'],
      ['settings.yaml', 'secretKey: canary', 'the file must end in .js, .mjs, .ts or .json'],
    ] as const;
    for (const [name, content, fault] of unreadable) {
      const [said, ...more] = await faultsOf(loadFile(name, content));
      assert.match(said ?? '', new RegExp(`^VESTIBULE_CONFIG: ${fault}`), name);
      assert.doesNotMatch(`${said}${more.join()}`, /canary/, name);
    }
    for (const [name, content] of [['list.json', '[]'], ['null.json', 'null'], ['nothing.mjs', 'export const config = {};']] as const) {
      assert.deepEqual(
        await faultsOf(loadFile(name, content)),
        ['VESTIBULE_CONFIG: the file must hold (a module: export by default) an object'], name,
      );
    }
  });

  it('lets no secret into what it says', async () => {
    const error: unknown = await loadFile('secrets.json', JSON.stringify({ cookieSecrets: ['short-canary'], secretKey: ['canary'] }), {
      VESTIBULE_PUBLIC_KEY: 'canary "', VESTIBULE_STORE: 'nonsense://canary@host', VESTIBULE_SERVICE_URL: 'https://u:canary@host',
    }).catch((reason: unknown) => reason);
    assert.ok(error instanceof ConfigError);
    assert.equal(error.faults.length, 7);
    assert.doesNotMatch(`${error.message}${error.stack}`, /canary/);
  });
});

describe('defineConfig', () => {
  it('returns what it is given', () => {
    const config = { port: 1 };
    assert.equal(defineConfig(config), config);
  });
});
