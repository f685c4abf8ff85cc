import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readEnvironment, UNREAD } from './env.ts';

const directory = mkdtempSync(join(tmpdir(), 'vestibule-env-'));
after(() => { rmSync(directory, { recursive: true }); });

function fileOf(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
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

describe('readEnvironment', () => {
  it('reads each variable, and the same from the file that NAME_FILE names', () => {
    for (const [variable, setting, text, value] of variables) {
      for (const environment of [{ [variable]: text }, { [`${variable}_FILE`]: fileOf(variable, `${text}\n`) }]) {
        assert.deepEqual(readEnvironment(environment), { settings: { [setting]: value }, configPath: undefined, faults: [] });
      }
    }
    assert.equal(readEnvironment({ VESTIBULE_CONFIG: './vestibule.config.ts' }).configPath, './vestibule.config.ts');
  });

  it('takes an empty text for a variable that is not set, and ignores other variables', () => {
    assert.deepEqual(readEnvironment({ VESTIBULE_SECRET_KEY: '', VESTIBULE_FORUMS_FILE: '', PATH: '/bin', VESTIBULE_NONSENSE: '1' }).settings, {});
  });

  it('reports an empty file, an unreadable one, and a variable that is set twice, without value and path', () => {
    const { settings, faults } = readEnvironment({
      VESTIBULE_SECRET_KEY_FILE: join(directory, 'missing-canary'),
      VESTIBULE_PUBLIC_KEY: 'canary',
      VESTIBULE_PUBLIC_KEY_FILE: fileOf('public-canary', 'canary'),
      VESTIBULE_COOKIE_SECRETS_FILE: fileOf('empty', '\n'),
    });
    assert.deepEqual(settings, { publicKey: UNREAD, secretKey: UNREAD, cookieSecrets: UNREAD });
    assert.deepEqual(faults, [
      'VESTIBULE_PUBLIC_KEY: is set twice; unset VESTIBULE_PUBLIC_KEY or VESTIBULE_PUBLIC_KEY_FILE',
      'VESTIBULE_SECRET_KEY_FILE: the file cannot be read; check its path and permissions',
      'VESTIBULE_COOKIE_SECRETS_FILE: the file is empty; write the value into it, or unset VESTIBULE_COOKIE_SECRETS_FILE',
    ]);
  });
});
