/** One attacker: opens connections, sends requests, and records missing responses and server errors. */

import { connect as connectHttp2, constants } from 'node:http2';
import { HOST, PATH, type Entrance } from './_entrance.ts';
import { RawConnection } from './_raw-connection.ts';
import { requestOf, type RequestParts } from './_request.ts';
import type { Target } from './_targets.ts';

/** For a response, in ms. */
export const RESPONSE_WITHIN_MS = 15_000;

const ATTACKER_ADDRESS = '127.0.0.2';

/** Deliberate refusals: not implemented, version not supported. */
const DELIBERATE = [501, 505];

export class Attack {
  /** How often each fault occurred. */
  readonly faults = new Map<string, number>();
  answers = 0;
  readonly #entrance: Entrance;
  readonly #open = new Set<RawConnection>();

  constructor(entrance: Entrance) {
    this.#entrance = entrance;
  }

  /** @param address local address; another one has separate limits per address */
  async open(address = ATTACKER_ADDRESS): Promise<RawConnection> {
    return this.#follow(await RawConnection.open(this.#entrance, address));
  }

  /** Opens a connection that sends nothing, not even a TLS handshake. */
  async openSilent(address: string): Promise<RawConnection> {
    return this.#follow(await RawConnection.open({ port: this.#entrance.port }, address));
  }

  /** Sends one request on a new connection and waits for the response. */
  async exchange(target: Target, parts: RequestParts): Promise<void> {
    const connection = await this.open();
    connection.write(requestOf(target, parts));
    await connection.responses(1, RESPONSE_WITHIN_MS);
    this.recordAll(target, describeParts(parts), connection.statuses);
    connection.abort();
  }

  /** Sends requests in turn on one connection; opens a new one if the server closes it. */
  async exchangeOnOne(target: Target, requests: readonly RequestParts[]): Promise<void> {
    let connection = await this.open();
    for (const parts of requests) {
      const request = requestOf(target, { ...parts, headers: { Connection: 'keep-alive', ...parts.headers } });
      const answered = connection.statuses.length;
      connection.write(request);
      if (await connection.responses(answered + 1, RESPONSE_WITHIN_MS) === answered) {
        if (!connection.isClosed) this.record(target, describeParts(parts), 'no answer on an open connection');
        // The server may have closed it after the previous response.
        connection = await this.open();
        connection.write(request);
        await connection.responses(1, RESPONSE_WITHIN_MS);
        this.recordAll(target, describeParts(parts), connection.statuses);
      } else {
        this.recordAll(target, describeParts(parts), connection.statuses.slice(answered));
      }
    }
    connection.abort();
  }

  /** @param options `mayBeRefused`: a limit may close the connection without an answer */
  recordAll(target: Target, what: string, statuses: readonly number[], { mayBeRefused = false } = {}): void {
    if (statuses.length === 0 && !mayBeRefused) this.record(target, what, 'no answer');
    for (const status of statuses) {
      this.answers += 1;
      if (status >= 500 && !DELIBERATE.includes(status)) this.record(target, what, String(status));
    }
  }

  record({ method, path }: Target, what: string, fault: string): void {
    const text = `${method} ${path.split('?')[0]}, ${what}: ${fault}`;
    this.faults.set(text, (this.faults.get(text) ?? 0) + 1);
  }

  /** HTTP/2 rapid reset: opens streams and resets each at once. The server may close the connection. */
  async resetStreams(target: Target, count: number): Promise<void> {
    const { port, certificate } = this.#entrance;
    const client = connectHttp2(`https://127.0.0.1:${port}`, { ca: certificate, servername: 'localhost' });
    client.on('error', () => undefined);
    const closed = new Promise((resolve) => client.once('close', resolve));
    const headers = { ':method': target.method, ':path': `${PATH}${target.path}`, ':authority': HOST };
    for (let i = 0; i < count && !client.destroyed && !client.closed; i += 1) {
      const stream = client.request(headers);
      stream.on('error', () => undefined);
      stream.close(constants.NGHTTP2_CANCEL);
      if (i % 50 === 0) await new Promise(setImmediate);
    }
    client.close();
    setTimeout(() => { client.destroy(); }, 1_000);
    await closed;
  }

  /** Closes every connection. */
  end(): void {
    for (const connection of this.#open) connection.abort();
  }

  #follow(connection: RawConnection): RawConnection {
    this.#open.add(connection);
    void connection.closed.then(() => this.#open.delete(connection));
    return connection;
  }
}

function describeParts({ method, query, headers = {}, body }: RequestParts): string {
  const described = [
    ...(method === undefined ? [] : [method]),
    ...(query === undefined ? [] : [`query ${abbreviate(query)}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${abbreviate(String(value))}`),
    ...(body === undefined ? [] : [`body ${abbreviate(body)}`]),
  ];
  return abbreviate(described.join(', ') || 'as it should be', 200);
}

function abbreviate(text: string, length = 50): string {
  return text.length > length ? `${text.slice(0, length)}… (${text.length})` : text;
}
