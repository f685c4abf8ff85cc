/** Reports what a client sends that Node.js cannot parse. Node.js responds by itself, and logs nothing. */

import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { warnEach } from '../log.ts';

const REPORT_MS = 60_000;

/** First bytes of what proxies send by mistake. */
const protocols = [
  ['PROXY ', 'PROXY protocol', 'the proxy: without send-proxy'],
  ['\r\n\r\n\0\r\nQUIT\n', 'PROXY protocol', 'the proxy: without send-proxy-v2'],
  ['\x16\x03', 'TLS', 'the proxy: http towards the BFF'],
  ['PRI * HTTP/2', 'HTTP/2', 'the proxy: HTTP/1.1 towards the BFF'],
] as const;

/** An error of the parser has the bytes that it could not parse. */
interface SocketError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Logs each kind once a minute. A listener of `clientError` would have to respond in place of Node.js. */
export function reportClientErrors(server: Server, log: Pick<Logger, 'warn'>): void {
  const warn = warnEach(log, REPORT_MS);
  server.on('connection', (socket) => {
    socket.on('error', ({ code, rawPacket }: SocketError) => {
      if (!rawPacket || code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return;
      if (code === 'HPE_HEADER_OVERFLOW') {
        warn({ setting: 'the cookies of the site' }, 'a request was refused with 431: its headers exceed 16 KiB');
        return;
      }
      const start = rawPacket.toString('latin1', 0, 16);
      const [, protocol, setting] = protocols.find(([bytes]) => start.startsWith(bytes)) ?? ['', 'something else', 'the proxy, or the client'];
      warn({ setting }, `a request was refused with 400: its bytes are no HTTP/1.1, but ${protocol}`);
    });
  });
}
