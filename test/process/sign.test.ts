/** `vestibule sign`: each step of a signature (contract, section 4). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { runCommand, runVestibule } from '../lib/vestibule-process.ts';
import { expectedMac } from '../service/index.ts';
import { macVectors, type MacVector } from '../signing/mac-signing.ts';

describe('vestibule sign', () => {
  const run = (args: readonly string[], { id, key }: Partial<MacVector> = {}, runIt: typeof runCommand = runCommand) => runIt({
    args: ['sign', ...args],
    env: bffEnvironment({ url: 'https://comments.example', publicKey: id ?? '', secretKey: key ?? '' }, 'https://www.example.com'),
  });

  // The published values are in test/signing: a request signed now has a nonce of its own.
  const [vector] = macVectors as [MacVector];
  const args = ['POST', 'http://disqus.com/api/3.0/posts/create.json', 'forum=disqus', 'message=hello world'];

  it('prints each step, as the emulated service computes it, and no secret', async () => {
    const { id, key } = vector;
    const { status, stdout } = await run(args, vector, runVestibule);
    assert.equal(status, 0);
    const [, nonce = ''] = /^3 {2}nonce +(\S+)$/m.exec(stdout) ?? [];
    const { normalized, bodyHash, requestString, mac } = expectedMac({ ...vector, nonce });
    for (const step of [normalized, bodyHash, nonce, mac, `MAC id="${id}", nonce="${nonce}", body-hash="${bodyHash}", mac="${mac}"`]) {
      assert.ok(stdout.includes(step), step);
    }
    assert.ok(stdout.replace(/^4 {2}request string */m, '').replace(/^ +/gm, '').includes(requestString.replaceAll('\n', '\\n\n').trimEnd()));
    assert.ok(!stdout.includes(key));
  });

  it('refuses what cannot be signed, and missing keys', async () => {
    for (const line of [['POST', 'nonsense'], [...args, 'no-value']]) {
      assert.equal((await run(line, vector)).status, 64, line.join(' '));
    }
    const { status, stderr } = await run(args);
    assert.equal(status, 78);
    assert.match(stderr, /^VESTIBULE_PUBLIC_KEY: is required/m);
  });
});
