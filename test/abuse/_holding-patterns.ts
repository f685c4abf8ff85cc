/** Patterns that hold connections, which the server must close. */

import { RESPONSE_WITHIN_MS, type Attack } from './_attack.ts';
import type { RawConnection } from './_raw-connection.ts';
import { requestOf } from './_request.ts';
import { hasBody, type Target } from './_targets.ts';

/** A pattern whose connections the server must close. */
export interface HoldingPattern {
  readonly name: string;
  readonly appliesTo?: (target: Target) => boolean;
  /** Connections at a target. */
  readonly connections: number;
  /** Runs before the time counts in which the server must close the connection. */
  readonly prepare?: (connection: RawConnection, target: Target, attack: Attack) => Promise<void>;
  /** Keeps the connection busy until it is closed. */
  readonly hold: (connection: RawConnection, target: Target) => Promise<void>;
}

/** Three steps stay below the number that the BFF accepts while their responses are not read. */
const UNREAD_REQUESTS_PER_STEP = 3;
const RESET_POLL_MS = 500;
const MAX_UNREAD_REQUESTS = 20_000;

export const holdingPatterns: readonly HoldingPattern[] = [
  { name: 'a connection without a request', connections: 2, hold: async (connection) => { await connection.closed; } },
  {
    name: 'a slow head',
    connections: 2,
    hold: (connection, target) => trickle(connection, requestOf(target, { headers: { 'X-Slow': 'a'.repeat(1_000) } }), 30),
  },
  {
    name: 'a slow body',
    appliesTo: hasBody,
    connections: 2,
    hold: (connection, target) => {
      const request = requestOf(target, { headers: { 'Content-Length': '1000' }, body: ' '.repeat(1_000) });
      return trickle(connection, request, request.length - 1_000);
    },
  },
  { name: 'pipelining without reading', connections: 2, hold: pipelineUnread },
  {
    name: 'responses that are not read',
    appliesTo: ({ isLarge = false }) => isLarge,
    connections: 1,
    prepare: fillBuffers,
    hold: awaitReset,
  },
];

/** Sends `sentAtOnce` bytes, then one a second. */
function trickle(connection: RawConnection, request: Buffer, sentAtOnce: number): Promise<void> {
  return connection.trickle(request.subarray(0, sentAtOnce), [...request.subarray(sentAtOnce)].map((byte) => Buffer.of(byte)));
}

/**
 * Sends requests without reading until the responses fill the buffers of both sides. The responses to the same requests on a
 * second connection show that the server has handled a step. Ends after two steps that add no byte, so that a response that
 * is late once does not count.
 */
async function fillBuffers(connection: RawConnection, target: Target, attack: Attack): Promise<void> {
  connection.pause();
  const request = requestOf(target, { headers: { Connection: 'keep-alive' } });
  const step = Buffer.concat(Array.from({ length: UNREAD_REQUESTS_PER_STEP }, () => request));
  const other = await attack.open();
  for (let unread = 0, idleSteps = 0, steps = 1; idleSteps < 2 && !connection.isClosed; steps += 1) {
    connection.write(step);
    other.write(step);
    const requests = steps * UNREAD_REQUESTS_PER_STEP;
    if (await other.responses(requests, RESPONSE_WITHIN_MS) < requests) attack.record(target, 'a request beside unread responses', 'no answer');
    const after = await connection.unreadBytes();
    idleSteps = after > unread || after === 0 ? 0 : idleSteps + 1;
    unread = after;
  }
  other.abort();
}

/** Node.js reports no reset of a paused connection. */
async function awaitReset(connection: RawConnection): Promise<void> {
  while (!connection.isClosed && await connection.unreadBytes() > 0) await connection.closes(RESET_POLL_MS);
  connection.abort();
}

/** Sends requests without reading, as fast as the server reads them. */
async function pipelineUnread(connection: RawConnection, target: Target): Promise<void> {
  connection.pause();
  const request = requestOf(target, { headers: { Connection: 'keep-alive' } });
  const batch = Buffer.concat(Array.from({ length: 100 }, () => request));
  for (let sent = 0; sent < MAX_UNREAD_REQUESTS && await connection.drained(); sent += 100) connection.write(batch);
  // A paused connection reports a reset when it writes.
  while (!await connection.closes(RESET_POLL_MS)) connection.write(request);
}
