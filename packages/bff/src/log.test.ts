import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { createLog } from './log.ts';

/** The lines that `write` logs. */
function linesOf(level: string, write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const chunks: string[] = [];
  write(createLog(level, new Writable({ write(chunk, _encoding, done) { chunks.push(String(chunk)); done(); } })));
  return chunks.map((chunk) => JSON.parse(chunk) as Record<string, unknown>);
}

describe('createLog', () => {
  it('writes one line of JSON an event, without the names of process and host', () => {
    const [line, ...rest] = linesOf('info', (log) => { log.info({ a: 1 }, 'event'); });
    assert.deepEqual(rest, []);
    assert.deepEqual(Object.keys(line ?? {}), ['level', 'time', 'a', 'msg']);
  });

  it('leaves out what lies below its level', () => {
    assert.deepEqual(linesOf('warn', (log) => { log.info('x'); }), []);
  });

  it('tells errors through the serializer', () => {
    const [line] = linesOf('info', (log) => { log.error({ err: Object.assign(new Error('m'), { headers: 'canary' }) }, 'failed'); });
    assert.doesNotMatch(JSON.stringify(line), /canary/);
  });

  it('has written every line when the process exits', () => {
    const script = `
      import { createLog } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)};
      const log = createLog('info');
      for (let i = 0; i < 1000; i += 1) log.info({ i }, 'event');
      process.exit(3);`;
    const args = ['--conditions=@vestibule/source', '--input-type=module', '--eval', script];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(status, 3);
    assert.equal(stdout.trimEnd().split('\n').length, 1000);
  });

  it('cannot be made to write a second line', () => {
    assert.equal(linesOf('info', (log) => { log.error({ err: new Error('a\n{"level":60}') }, 'failed'); }).length, 1);
  });
});
