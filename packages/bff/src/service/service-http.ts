/** One HTTP exchange with the service, over undici's dispatcher: never a redirect followed, never more than 1 MiB read,
 *  an end after `timeoutMs`, and an exact answer to the question whether any byte of the request went out. */

import { Pool, type Dispatcher } from 'undici';
import { Deadlines, type Deadline } from '../lib/deadlines.ts';
import { nextTraceParent } from '../lib/trace-context.ts';

/** An answer over this is refused, in bytes. */
const MAX_ANSWER_BYTES = 1024 * 1024;

export interface ServiceRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** How far the service's clock is ahead, in milliseconds, where the answer tells. */
  readonly driftMs?: number;
}

/** No whole answer arrived. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  /** Whether a byte of the request may have reached the service. */
  readonly sent: boolean;

  constructor(sent: boolean, cause: unknown) {
    super(sent ? 'The service did not answer in time, or not to the end.' : 'The service could not be reached.', { cause });
    this.sent = sent;
  }
}

/** An answer arrived that is larger than any the interface allows. */
export class OversizedAnswerError extends Error {
  override readonly name = 'OversizedAnswerError';
}

export interface ServiceHttpOptions {
  readonly origin: string;
  /** Until a connection stands. */
  readonly connectTimeoutMs: number;
  /** Until the whole answer is there, counted from the call. */
  readonly timeoutMs: number;
  /** Sockets at most. */
  readonly connections?: number;
}

export interface SendsRequests {
  /** @throws {NoAnswerError | OversizedAnswerError} */
  send(request: ServiceRequest, timeoutMs?: number): Promise<ServiceAnswer>;
}

export class ServiceHttp implements SendsRequests, AsyncDisposable {
  readonly #pool: Pool;
  readonly #deadlines: Deadlines;

  constructor({ origin, connectTimeoutMs, timeoutMs, connections = 128 }: ServiceHttpOptions) {
    this.#deadlines = new Deadlines(timeoutMs);
    this.#pool = new Pool(origin, {
      connections,
      pipelining: 1,
      connect: { timeout: connectTimeoutMs },
      // Each exchange has its deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  send(request: ServiceRequest, timeoutMs?: number): Promise<ServiceAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<ServiceAnswer>();
    const exchange = new Exchange(resolve, reject, timeoutMs === undefined ? this.#deadlines : new Deadlines(timeoutMs));
    const traceparent = nextTraceParent();
    this.#pool.dispatch({
      method: request.method as Dispatcher.HttpMethod,
      path: request.path,
      headers: traceparent === undefined ? request.headers : { ...request.headers, traceparent },
      body: request.body ?? null,
    }, exchange);
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy();
  }
}

/** Most answers come in one piece. */
function wholeOf(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 ? chunks[0] as Buffer : Buffer.concat(chunks);
}

/** undici's handler of one request: collects the answer and knows whether the request went out. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: ServiceAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #deadline: Deadline;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: ServiceAnswer['headers'] = {};
  #size = 0;
  #sent = false;
  #expired = false;

  constructor(resolve: (answer: ServiceAnswer) => void, reject: (error: Error) => void, deadlines: Deadlines) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#deadline = deadlines.begin(() => { this.#expire(); });
  }

  /** Called when the request gets its socket, before a byte is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#expired) {
      controller.abort(new Error('The time for the answer is over.'));
      return;
    }
    this.#sent = true;
  }

  onResponseStart(_: unknown, status: number, headers: ServiceAnswer['headers']): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > MAX_ANSWER_BYTES) {
      this.#fail(new OversizedAnswerError('The service answered with more than 1 MiB.'));
      controller.abort(new OversizedAnswerError());
      return;
    }
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#deadline.end();
    this.#resolve({ status: this.#status, headers: this.#headers, body: wholeOf(this.#chunks) });
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(new NoAnswerError(this.#sent, error));
  }

  #expire(): void {
    this.#expired = true;
    const error = new Error('The time for the answer is over.');
    this.#fail(new NoAnswerError(this.#sent, error));
    this.#controller?.abort(error);
  }

  #fail(error: Error): void {
    this.#deadline.end();
    this.#reject(error);
  }
}
