/** One request, timed. A broken connection is an answer too: status 0. */

import { request, type Agent } from 'node:http';

export interface Wish {
  readonly agent: Agent;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

export interface Timed {
  /** 0 where the connection broke. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The short name of a problem. */
  readonly problem: string | undefined;
  readonly text: string;
  /** When it was asked, by `performance.now()`. */
  readonly beganAt: number;
  readonly ms: number;
}

export function ask(url: string, { agent, method = 'GET', headers = {}, json }: Wish): Promise<Timed> {
  const { promise, resolve } = Promise.withResolvers<Timed>();
  const beganAt = performance.now();
  const end = (answer: Omit<Timed, 'beganAt' | 'ms'>) => { resolve({ ...answer, beganAt, ms: performance.now() - beganAt }); };
  const broke = () => { end({ status: 0, headers: {}, problem: undefined, text: '' }); };
  const body = json === undefined ? undefined : JSON.stringify(json);
  const outgoing = request(url, {
    agent,
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }) },
  });
  outgoing.on('error', broke);
  outgoing.once('response', (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('error', broke);
    answer.once('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const problem = /"type":"urn:vestibule:([a-z-]+)"/.exec(text)?.[1];
      end({ status: answer.statusCode ?? 0, headers: answer.headers, problem, text });
    });
  });
  outgoing.end(body);
  return promise;
}

/** The time that `share` of all did not exceed. */
export function quantile(timed: readonly Pick<Timed, 'ms'>[], share: number): number {
  const sorted = timed.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
}
