/** Loaded into the BFF's process (`--import`) in the place of OpenTelemetry, by the very means that it has: the API's global,
 *  `Server.prototype.emit` as `instrumentation-http` wraps it, and the channel of undici's requests as `instrumentation-undici`
 *  listens to it. Prints a line a span. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { Server, type IncomingMessage } from 'node:http';

interface Span {
  readonly kind: 'server' | 'client';
  readonly trace: string;
  readonly id: string;
  readonly parent: string | undefined;
}

const active = new AsyncLocalStorage<Span>();

Object.assign(globalThis, { [Symbol.for('opentelemetry.js.api.1')]: { version: '1.10.0', trace: {}, context: {}, propagation: {} } });

const { emit } = Server.prototype;
Server.prototype.emit = function (this: Server, event: string, ...args: unknown[]) {
  const pass = () => Reflect.apply(emit, this, [event, ...args]) as boolean;
  if (event !== 'request') return pass();
  const [, trace, parent] = (args[0] as IncomingMessage).headers['traceparent']?.toString().split('-') ?? [];
  const span = began('server', trace, parent);
  return active.run(span, pass);
} as typeof emit;

subscribe('undici:request:create', (message) => {
  const { request } = message as { request: { addHeader(name: string, value: string): void } };
  const around = active.getStore();
  const span = began('client', around?.trace, around?.id);
  request.addHeader('traceparent', `00-${span.trace}-${span.id}-01`);
});

function began(kind: Span['kind'], trace = randomBytes(16).toString('hex'), parent?: string): Span {
  const span = { kind, trace, id: randomBytes(8).toString('hex'), parent };
  process.stdout.write(`${JSON.stringify({ msg: 'span', ...span })}\n`);
  return span;
}
