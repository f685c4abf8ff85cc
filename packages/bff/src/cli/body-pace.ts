/** Bodies that trickle in hold connections for nothing. Node.js limits the time of a whole request alone: short enough to be
 *  rid of them, that limit would cut off a phone in a bad network too, so the pace is what counts here. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface PaceLimits {
  /** For which any pace will do, from the end of the head. */
  readonly graceMs: number;
  /** After that, on average. */
  readonly minBytesPerSecond: number;
  readonly checkEveryMs: number;
}

/** Ten thousand ASCII characters have 20 s; a byte a second is over within 11. */
const DEFAULT_LIMITS: PaceLimits = { graceMs: 10_000, minBytesPerSecond: 500, checkEveryMs: 1_000 };

interface Arrival {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly beganAt: number;
  /** Of the connection, before the body. */
  readonly bytesBefore: number;
}

const TOO_SLOW = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

/** `listener`, which ends each connection on which a body arrives slower than `limits` allow, with status 408. */
export function limitBodyPace(listener: RequestListener, limits: PaceLimits = DEFAULT_LIMITS): RequestListener {
  const arriving = new Map<Socket, Arrival>();
  let timer: NodeJS.Timeout | undefined;
  return (req, res) => {
    if (hasBody(req)) {
      arriving.set(req.socket, { req, res, beganAt: performance.now(), bytesBefore: req.socket.bytesRead });
      timer ??= setInterval(check, limits.checkEveryMs).unref();
    }
    listener(req, res);
  };

  function check(): void {
    const now = performance.now();
    for (const [socket, arrival] of arriving) {
      const { req } = arrival;
      if (req.complete || req.destroyed) arriving.delete(socket);
      else if (isTooSlow(socket, arrival, now)) end(socket, arrival);
    }
    if (arriving.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function isTooSlow(socket: Socket, { beganAt, bytesBefore }: Arrival, now: number): boolean {
    const bytes = socket.bytesRead - bytesBefore;
    return now - beganAt > limits.graceMs && bytes < (now - beganAt) / 1_000 * limits.minBytesPerSecond;
  }

  function end(socket: Socket, { res }: Arrival): void {
    arriving.delete(socket);
    if (!res.headersSent) socket.write(TOO_SLOW);
    socket.destroySoon();
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
