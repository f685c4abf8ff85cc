import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';

const urlOf = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

/** Runs `script` in a process, where `log` writes to standard output. */
function run(script: string) {
  const source = `
    import { standardOutput } from ${urlOf('log-output.ts')};
    import { createLog } from ${urlOf('../log.ts')};
    const log = createLog('info', standardOutput());
    ${script}`;
  return spawnSync(process.execPath, ['--conditions=@vestibule/source', '--input-type=module', '--eval', source], { encoding: 'utf8' });
}

describe('standardOutput', () => {
  it('writes every line before process.exit() ends the process', () => {
    const { status, stdout } = run('for (let i = 0; i < 1000; i += 1) log.info({ i }, "event"); process.exit(3);');
    assert.equal(status, 3);
    assert.equal(stdout.trimEnd().split('\n').length, 1000);
  });

  it('writes every line before the process ends by itself', () => {
    const { status, stdout } = run('log.info("first"); setTimeout(() => { log.info("last"); }, 10);');
    assert.equal(status, 0);
    assert.deepEqual(stdout.trimEnd().split('\n').map((line) => (JSON.parse(line) as { msg: string }).msg), ['first', 'last']);
  });

  it('writes a line soon after it was logged', () => {
    const { stdout } = run('log.info("event"); setTimeout(() => { process.kill(process.pid, "SIGKILL"); }, 1_000);');
    assert.match(stdout, /"msg":"event"/);
  });
});
