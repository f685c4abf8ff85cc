import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { createLog, silentLog } from './log.ts';

/** The lines that `write` logs. */
function linesOf(level: string, write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const chunks: string[] = [];
  write(createLog(level, new Writable({ write(chunk, _encoding, done) { chunks.push(String(chunk)); done(); } })));
  return chunks.map((chunk) => JSON.parse(chunk) as Record<string, unknown>);
}

describe('createLog', () => {
  it('writes one line of JSON per event, without the process id and host name', () => {
    const [line, ...rest] = linesOf('info', (log) => { log.info({ a: 1 }, 'event'); });
    assert.deepEqual(rest, []);
    assert.deepEqual(Object.keys(line ?? {}), ['level', 'time', 'a', 'msg']);
  });

  it('omits events below its level', () => {
    assert.deepEqual(linesOf('warn', (log) => { log.info('x'); }), []);
  });

  it('serializes errors by the allow-list', () => {
    const [line] = linesOf('info', (log) => { log.error({ err: Object.assign(new Error('m'), { headers: 'canary' }) }, 'failed'); });
    assert.doesNotMatch(JSON.stringify(line), /canary/);
  });

  it('writes one line even if a message contains line breaks', () => {
    assert.equal(linesOf('info', (log) => { log.error({ err: new Error('a\n{"level":60}') }, 'failed'); }).length, 1);
  });
});

describe('silentLog', () => {
  it('writes nothing', () => {
    assert.equal(silentLog().isLevelEnabled('fatal'), false);
  });
});
