import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { nextTraceParent, parseTraceParent, withTrace } from './trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('parseTraceParent', () => {
  it('accepts a valid header, also of a later version', () => {
    assert.deepEqual(parseTraceParent(`00-${TRACE}-${PARENT}-01`), { traceId: TRACE, flags: '01' });
    assert.deepEqual(parseTraceParent(`01-${TRACE}-${PARENT}-00-more`), { traceId: TRACE, flags: '00' });
  });

  it('ignores other headers', () => {
    for (const header of [
      '', 'nonsense', `00-${TRACE}-${PARENT}`, `00-${TRACE.toUpperCase()}-${PARENT}-01`, `00-${'0'.repeat(32)}-${PARENT}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`, `ff-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-01-more`, `00-${TRACE}-${PARENT}-01\n`,
      ` 00-${TRACE}-${PARENT}-01`, `00-${TRACE.slice(1)}-${PARENT}-01`,
    ]) assert.equal(parseTraceParent(header), undefined, JSON.stringify(header));
  });
});

describe('nextTraceParent', () => {
  it('keeps the trace and creates a new span each time', async () => {
    const { promise, resolve } = Promise.withResolvers<(string | undefined)[]>();
    withTrace({ traceId: TRACE, flags: '01' }, () => {
      void turn().then(() => { resolve([nextTraceParent(), nextTraceParent()]); });
    });
    const [one = '', other = ''] = (await promise).map(String);
    assert.match(one, new RegExp(`^00-${TRACE}-[\\da-f]{16}-01$`));
    assert.ok(!one.includes(PARENT) && one !== other);
    assert.deepEqual(parseTraceParent(one), { traceId: TRACE, flags: '01' });
  });

  it('is undefined outside a trace and if OpenTelemetry is loaded', () => {
    assert.equal(nextTraceParent(), undefined);
    withTrace({ traceId: TRACE, flags: '01' }, () => {
      withTrace(undefined, () => { assert.equal(nextTraceParent(), undefined); });
    });
    const symbol = Symbol.for('opentelemetry.js.api.1');
    Reflect.set(globalThis, symbol, {});
    withTrace({ traceId: TRACE, flags: '01' }, () => { assert.equal(nextTraceParent(), undefined); });
    Reflect.deleteProperty(globalThis, symbol);
  });
});
