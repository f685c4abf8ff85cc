/** Scripted faults by endpoint: selects the next one, and carries it out on a connection. */

import { STATUS_CODES, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { jsonReply, type EndpointName, type Reply } from './http.ts';

/** `commits`: whether the request is carried out although the honest answer is not sent. Default: false. */
interface Replaced {
  readonly commits?: boolean;
}

export type Fault =
  /** Never answers. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'hang-after-commit' }
  /** Resets the connection. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'reset-after-commit' }
  /** Carries the request out at once and answers honestly once `until` resolves. */
  | { readonly kind: 'held'; readonly until: Promise<unknown> }
  /** Answers with this instead. An object as body is sent as JSON. */
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown } & Replaced
  /** Writes these bytes on the socket, and closes it. */
  | { readonly kind: 'raw'; readonly bytes: string | Buffer } & Replaced
  /** The honest answer's head and the first `bytes` of its body, then the end of the connection. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** To `location`. Default status 307: method and body are to be sent again. */
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: 301 | 302 | 303 | 307 | 308 } & Replaced
  /** JSON that is at least `bytes` long once it is unzipped. */
  | { readonly kind: 'gzip-bomb'; readonly bytes: number } & Replaced
  /** A page with a script in it, status 200. */
  | { readonly kind: 'html' } & Replaced
  /** The honest answer, its JSON changed. */
  | { readonly kind: 'rewrite'; readonly change: (body: never) => unknown };

export class Faults {
  readonly #queues = new Map<EndpointName, (Fault | undefined)[]>();
  readonly #standing = new Map<EndpointName, Fault | undefined>();

  /** Queues faults for the next requests to `endpoint`, after those that are queued; `undefined` is an honest response. */
  next(endpoint: EndpointName, ...faults: readonly (Fault | undefined)[]): void {
    this.#queues.set(endpoint, [...this.#queues.get(endpoint) ?? [], ...faults]);
  }

  /** For every request to `endpoint` that has no fault of its own; `undefined` for honest answers again. */
  always(endpoint: EndpointName, fault: Fault | undefined): void {
    this.#standing.set(endpoint, fault);
  }

  /** Removes every fault. */
  clear(): void {
    this.#queues.clear();
    this.#standing.clear();
  }

  /** The fault for this request. */
  take(endpoint: EndpointName): Fault | undefined {
    const queue = this.#queues.get(endpoint) ?? [];
    return queue.length > 0 ? queue.shift() : this.#standing.get(endpoint);
  }
}

export interface FaultTools {
  readonly response: ServerResponse;
  /** Carries the request out. */
  readonly commit: () => Reply;
  /** Sends a reply as it is, unless the connection is closed. */
  readonly send: (reply: Reply) => void;
  /** Head of a reply as it would go out, `Date` and the rest included. */
  readonly headersOf: (reply: Reply) => Readonly<Record<string, string>>;
}

export function sendFault(fault: Fault, tools: FaultTools): void {
  const { response, commit, send } = tools;
  const socket = response.socket;
  if (!socket) return;
  if ('commits' in fault && fault.commits) commit();
  switch (fault.kind) {
    case 'hang': return;
    case 'hang-after-commit': return void commit();
    case 'reset': return void socket.resetAndDestroy();
    case 'reset-after-commit': {
      commit();
      return void socket.resetAndDestroy();
    }
    case 'held': {
      const reply = commit();
      return void fault.until.then(() => { send(reply); });
    }
    case 'status': {
      const { status, headers = {}, body = '' } = fault;
      return send(typeof body === 'string' ? { status, headers, body } : jsonReply(status, body, headers));
    }
    case 'raw': return void socket.end(fault.bytes);
    case 'truncate': return void socket.end(serialize(tools, commit(), fault.bytes));
    case 'redirect': return send({ status: fault.status ?? 307, headers: { Location: fault.location }, body: '' });
    case 'gzip-bomb': return send(gzipBomb(fault.bytes));
    case 'html': return send({ status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: HOSTILE_PAGE });
    case 'rewrite': {
      const reply = commit();
      return send({ ...reply, body: JSON.stringify(fault.change(JSON.parse(String(reply.body)) as never)) });
    }
  }
}

const HOSTILE_PAGE = '<!doctype html><title>Oops</title><script>document.title = "executed"</script><img src=x onerror="alert(1)">';

/** An answer as bytes, on a connection that ends with it: the head, and the first `bytes` of the body. */
function serialize({ headersOf }: FaultTools, reply: Reply, bytes: number): Buffer {
  const body = Buffer.from(reply.body);
  const headers = { ...headersOf(reply), 'Content-Length': String(body.length), Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), body.subarray(0, bytes)]);
}

/** One compressed mebibyte, repeated: a gzip stream may have many members. */
function gzipBomb(bytes: number): Reply {
  const members = Array.from<Buffer>({ length: Math.ceil(bytes / 2 ** 20) }).fill(gzipSync(Buffer.alloc(2 ** 20, 'a')));
  const body = Buffer.concat([gzipSync('{"code":0,"response":{"message":"'), ...members, gzipSync('"}}')]);
  return { status: 200, headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, body };
}
