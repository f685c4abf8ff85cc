/** OpenTelemetry as an operator loads it into the BFF's process (`--import`): its SDK, and its own instrumentations of
 *  `node:http` and undici. Prints a line a span. */

import { register } from 'node:module';
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { SimpleSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';

const names: Readonly<Record<number, string>> = { [SpanKind.SERVER]: 'server', [SpanKind.CLIENT]: 'client' };

const lines: SpanExporter = {
  export(spans, done) {
    for (const span of spans) {
      const { traceId, spanId } = span.spanContext();
      const line = { msg: 'span', kind: names[span.kind], trace: traceId, id: spanId, parent: span.parentSpanContext?.spanId };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    }
    done({ code: 0 });
  },
  shutdown: () => Promise.resolve(),
};

// The instrumentations see modules that are imported, not only those that are required.
register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: lines })] }));
registerInstrumentations({ instrumentations: [new HttpInstrumentation(), new UndiciInstrumentation()] });
