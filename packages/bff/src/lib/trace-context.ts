/** The trace that a request belongs to (W3C Trace Context, level 1): taken from `traceparent`, carried along with the work
 *  that the request causes, and passed on with a span id of our own. Where OpenTelemetry is loaded, it does all that. */

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

const storage = new AsyncLocalStorage<TraceContext>();

/** `undefined` where the header is not valid: it is ignored then, as the standard wants. */
export function parseTraceParent(header: string): TraceContext | undefined {
  const [, version, traceId = '', parentId = '', flags = '', more] = TRACEPARENT.exec(header) ?? [];
  const isValid = version !== undefined && version !== 'ff' && (version !== '00' || more === undefined)
    && !/^0+$/.test(traceId) && !/^0+$/.test(parentId);
  return isValid ? { traceId, flags } : undefined;
}

/** Runs `work` and all that it causes as a part of the trace. */
export function withTrace(trace: TraceContext, work: () => void): void {
  storage.run(trace, work);
}

/** The `traceparent` of a request that the present work sends; `undefined` outside a trace. */
export function nextTraceParent(): string | undefined {
  const trace = storage.getStore();
  if (!trace || isOpenTelemetryLoaded()) return undefined;
  return `00-${trace.traceId}-${randomBytes(8).toString('hex')}-${trace.flags}`;
}

/** The API of OpenTelemetry registers itself under this symbol; its instrumentation writes the header by itself. */
function isOpenTelemetryLoaded(): boolean {
  return Symbol.for('opentelemetry.js.api.1') in globalThis;
}
