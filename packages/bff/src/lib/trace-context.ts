/** W3C Trace Context, level 1: takes the trace of a request from `traceparent` and passes it on to the service with a new span
 *  id. If OpenTelemetry is loaded, it does both. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Two hexadecimal digits. */
  readonly flags: string;
}

/** Version, trace id, parent id, flags; a later version may carry more. */
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

const storage = new AsyncLocalStorage<TraceContext | undefined>();

/** `undefined` if the header is not valid: the standard requires to ignore it. */
export function parseTraceParent(header: string): TraceContext | undefined {
  const [, version, traceId = '', parentId = '', flags = '', more] = TRACEPARENT.exec(header) ?? [];
  const isValid = version !== undefined && version !== 'ff' && (version !== '00' || more === undefined)
    && !/^0+$/.test(traceId) && !/^0+$/.test(parentId);
  return isValid ? { traceId, flags } : undefined;
}

/** Runs `work`, and every asynchronous step that follows from it, as part of the trace; outside of any for `undefined`. */
export function withTrace(trace: TraceContext | undefined, work: () => void): void {
  storage.run(trace, work);
}

/** `traceparent` for a request to the service; `undefined` outside a trace. */
export function nextTraceParent(): string | undefined {
  const trace = storage.getStore();
  // OpenTelemetry's API registers under this symbol.
  if (!trace || Symbol.for('opentelemetry.js.api.1') in globalThis) return undefined;
  return `00-${trace.traceId}-${randomBytes(8).toString('hex')}-${trace.flags}`;
}
