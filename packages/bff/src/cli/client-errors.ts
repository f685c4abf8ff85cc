/** What a client sends that Node.js cannot parse. Without a listener Node.js responds by itself, and no log tells it. */

import { STATUS_CODES, type Server } from 'node:http';
import type { Logger } from 'pino';
import { warnEach } from '../log.ts';

const REPORT_MS = 60_000;

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431, HPE_CHUNK_EXTENSIONS_OVERFLOW: 413, ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** First bytes of what proxies send by mistake. */
const protocols = [
  ['PROXY ', 'PROXY protocol', 'the proxy: without send-proxy'],
  ['\r\n\r\n\0\r\nQUIT\n', 'PROXY protocol', 'the proxy: without send-proxy-v2'],
  ['\x16\x03', 'TLS', 'the proxy: http towards the BFF'],
  ['PRI * HTTP/2', 'HTTP/2', 'the proxy: HTTP/1.1 towards the BFF'],
] as const;

interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Responds as Node.js does, and logs each kind once a minute. */
export function reportClientErrors(server: Server, log: Pick<Logger, 'warn'>): void {
  const warn = warnEach(log, REPORT_MS);
  server.on('clientError', ({ code = '', rawPacket }: ClientError, socket) => {
    if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const status = statuses[code] ?? 400;
    if (status === 431) warn({ setting: 'the cookies of the site' }, 'a request was refused with 431: its headers exceed 16 KiB');
    if (status === 400) {
      const start = rawPacket?.toString('latin1', 0, 16) ?? '';
      const [, protocol, setting] = protocols.find(([bytes]) => start.startsWith(bytes)) ?? ['', 'something else', 'the proxy, or the client'];
      warn({ setting }, `a request was refused with 400: its bytes are no HTTP/1.1, but ${protocol}`);
    }
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`, () => { socket.destroy(); });
  });
}
