/** A TCP proxy before a Redis that counts commands, and calls back at one of them: before Redis gets it, or after Redis has
 *  carried it out, with the reply lost. */

import { connect, createServer, type Socket } from 'node:net';
import { closeTcp, listenTcp } from './_tcp.ts';

const MARK = 'carried-out';
const ECHO = `*2\r\n$4\r\nECHO\r\n$${MARK.length}\r\n${MARK}\r\n`;

export interface CountingProxy extends AsyncDisposable {
  readonly port: number;
  /** @param n counted from 1; 0: none */
  arm(n: number, applied: boolean, kill: () => void): void;
}

export async function startCountingProxy(redisPort: number): Promise<CountingProxy> {
  const sockets = new Set<Socket>();
  let plan: { left: number; readonly applied: boolean; readonly kill: () => void } | undefined;
  const server = createServer((client) => {
    const redis = connect(redisPort, '127.0.0.1');
    let isOver = false;
    for (const [socket, other] of [[client, redis], [redis, client]] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => { sockets.delete(socket); other.destroy(); });
    }
    let pending = Buffer.alloc(0);
    client.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      for (let length = commandLength(pending); length > 0 && !isOver; length = commandLength(pending)) {
        const command = pending.subarray(0, length);
        pending = pending.subarray(length);
        isOver = plan !== undefined && plan.left > 0 && (plan.left -= 1) === 0;
        if (!isOver || plan?.applied) redis.write(command);
        if (isOver && plan?.applied) redis.write(ECHO);
        else if (isOver) plan?.kill();
      }
    });
    let replies = '';
    redis.on('data', (chunk: Buffer) => {
      if (!isOver) client.write(chunk);
      else if ((replies += chunk.toString('latin1')).includes(MARK)) plan?.kill();
    });
  });
  const port = await listenTcp(server);
  return {
    port,
    arm(left, applied, kill) { plan = { left, applied, kill }; },
    [Symbol.asyncDispose]: () => closeTcp(server, sockets),
  };
}

/** Length in bytes of the first command, `*2\r\n$3\r\nGET\r\n$1\r\na\r\n`; 0 while it is incomplete. */
function commandLength(bytes: Buffer): number {
  let end = bytes.indexOf('\r\n');
  if (end < 0) return 0;
  for (let left = Number(bytes.toString('latin1', 1, end)); left > 0; left -= 1) {
    const lengthEnd = bytes.indexOf('\r\n', end + 2);
    if (lengthEnd < 0) return 0;
    end = lengthEnd + 2 + Number(bytes.toString('latin1', end + 3, lengthEnd));
    if (end + 2 > bytes.length) return 0;
  }
  return end + 2;
}
