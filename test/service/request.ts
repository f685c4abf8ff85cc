/** A request as the service received it, kept whole so that tests can search it for secrets. */

import type { IncomingMessage } from 'node:http';

export type EndpointName = 'authorize' | 'entrance' | 'token' | 'complete' | 'posts' | 'postList';

export interface ReceivedRequest {
  /** `undefined` for everything else: assets, unknown paths. */
  readonly endpoint: EndpointName | undefined;
  readonly method: string;
  /** Path and query as they stood in the request line. */
  readonly path: string;
  /** Every value of every header, names in lower case. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: Buffer;
  /** Milliseconds since 1970 by the machine's clock. */
  readonly receivedAt: number;
  /** Tells connections apart. */
  readonly remotePort: number;
}

/** Bodies above this are refused with 413. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Calls `receive` with the whole body, or with `undefined` as soon as it is too long. Does not call it if the client disconnects
 *  before. */
export function receiveBody(message: IncomingMessage, receive: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  message.on('data', (chunk: Buffer) => {
    if (length > MAX_BODY_BYTES) return;
    length += chunk.length;
    if (length > MAX_BODY_BYTES) receive(undefined);
    else chunks.push(chunk);
  });
  message.on('end', () => {
    if (length <= MAX_BODY_BYTES) receive(Buffer.concat(chunks));
  });
}

export function queryOf(request: ReceivedRequest): string {
  const mark = request.path.indexOf('?');
  return mark < 0 ? '' : request.path.slice(mark + 1);
}

/** The one value of a header. `undefined` where it is absent or comes more than once. */
export function onlyHeader(request: ReceivedRequest, name: string): string | undefined {
  const values = request.headers[name];
  return values?.length === 1 ? values[0] : undefined;
}

/** Whether the body says that it is form-encoded, in UTF-8 and as it is. */
export function isFormEncoded(request: ReceivedRequest): boolean {
  const contentType = onlyHeader(request, 'content-type') ?? '';
  return /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i.test(contentType) && !request.headers['content-encoding'];
}
