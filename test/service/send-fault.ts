/** Carries out a fault on a connection. `faults.ts` selects it. */

import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Fault } from './faults.ts';
import { jsonReply, type Reply } from './reply.ts';

export interface FaultTools {
  readonly response: ServerResponse;
  /** Carries the request out. */
  readonly commit: () => Reply;
  /** Sends a reply as it is. */
  readonly send: (reply: Reply) => void;
  /** Head of a reply as it would go out, `Date` and the rest included. */
  readonly headersOf: (reply: Reply) => Readonly<Record<string, string>>;
  /** Runs `action` later, even where the connection is gone by then; never after the service has ended. */
  readonly later: (delayMs: number, action: () => void) => void;
}

export function sendFault(fault: Fault, tools: FaultTools): void {
  const { response, commit, send } = tools;
  const socket = response.socket;
  if (!socket) return;
  if ('commits' in fault && fault.commits) commit();
  switch (fault.kind) {
    case 'hang': return;
    case 'hang-after-commit': return void commit();
    case 'commit-late': return tools.later(fault.delayMs, commit);
    case 'reset': return void socket.resetAndDestroy();
    case 'reset-after-commit': {
      commit();
      return void socket.resetAndDestroy();
    }
    case 'delay': {
      const reply = commit();
      return tools.later(fault.delayMs, () => send(reply));
    }
    case 'held': {
      const reply = commit();
      return void fault.until.then(() => { send(reply); });
    }
    case 'status': return send(statusReply(fault));
    case 'raw': return writeRaw(socket, fault.bytes, fault.keepOpen ?? false);
    case 'drip': return drip(socket, serialize(tools, commit()), fault.bytes, fault.everyMs);
    case 'stall': return void socket.write(beginning(tools, commit(), fault.bytes));
    case 'truncate': return void socket.end(beginning(tools, commit(), fault.bytes));
    case 'redirect': return send({ status: fault.status ?? 307, headers: { Location: fault.location }, body: '' });
    case 'gzip-bomb': return send(gzipBomb(fault.bytes));
    case 'oversized': return send(oversized(fault.bytes));
    case 'html': return send({ status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: HOSTILE_PAGE });
    case 'content-type': return send(withContentType(commit(), fault.contentType));
    case 'rewrite': {
      const reply = commit();
      return send({ ...reply, body: JSON.stringify(fault.change(JSON.parse(String(reply.body)) as never)) });
    }
    case 'poisoned': {
      response.once('finish', () => socket.write(fault.bytes ?? UNASKED_ANSWER));
      return send(commit());
    }
  }
}

const HOSTILE_PAGE = '<!doctype html><title>Oops</title><script>document.title = "executed"</script><img src=x onerror="alert(1)">';

const UNASKED_BODY = JSON.stringify({ code: 0, response: { id: '0', message: 'unasked' }, access_token: 'unasked', user_id: '0' });

const UNASKED_ANSWER = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${UNASKED_BODY.length}\r\n\r\n${UNASKED_BODY}`;

function statusReply({ status, headers, body = '' }: Extract<Fault, { kind: 'status' }>): Reply {
  if (typeof body === 'string') return { status, headers: headers ?? {}, body };
  const reply = jsonReply(status, body);
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

function withContentType(reply: Reply, contentType: string): Reply {
  return { ...reply, headers: { ...reply.headers, 'Content-Type': contentType } };
}

/** A whole answer as bytes, on a connection that ends with it. */
function serialize({ headersOf }: FaultTools, reply: Reply): Buffer {
  const body = Buffer.from(reply.body);
  const headers = { ...headersOf(reply), 'Content-Length': String(body.length), Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n${lines.join('')}\r\n`), body]);
}

function beginning(tools: FaultTools, reply: Reply, bytes: number): Buffer {
  const whole = serialize(tools, reply);
  const headLength = whole.length - Buffer.byteLength(reply.body);
  return whole.subarray(0, headLength + bytes);
}

function writeRaw(socket: Socket, bytes: string | Buffer, keepOpen: boolean): void {
  if (keepOpen) socket.write(bytes);
  else socket.end(bytes);
}

function drip(socket: Socket, bytes: Buffer, count: number, everyMs: number): void {
  let sent = 0;
  const timer = setInterval(() => {
    socket.write(bytes.subarray(sent, sent + count));
    sent += count;
    if (sent < bytes.length) return;
    clearInterval(timer);
    socket.end();
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
}

/** One compressed mebibyte, again and again: a gzip stream may have many members. */
function gzipBomb(bytes: number): Reply {
  const mebibyte = gzipSync(Buffer.alloc(1024 * 1024, 'a'));
  const members = Array.from({ length: Math.ceil(bytes / (1024 * 1024)) }, () => mebibyte);
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    body: Buffer.concat([gzipSync('{"code":0,"response":{"message":"'), ...members, gzipSync('"}}')]),
  };
}

function oversized(bytes: number): Reply {
  const [before, after] = ['{"code":0,"response":{"message":"', '"}}'];
  const padding = 'a'.repeat(Math.max(0, bytes - before.length - after.length));
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body: `${before}${padding}${after}` };
}
