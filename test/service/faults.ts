/** Scripted faults by endpoint: selects the next one. `send-fault.ts` carries it out. */

import type { EndpointName } from './request.ts';

/** `commits`: whether the request is carried out although the honest answer is not sent. Default false. */
interface Replaced {
  readonly commits?: boolean;
}

export type Fault =
  /** Never answers. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'hang-after-commit' }
  /** Never answers, and carries the request out after `delayMs`. */
  | { readonly kind: 'commit-late'; readonly delayMs: number }
  /** Resets the connection. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'reset-after-commit' }
  /** Carries the request out at once and answers honestly after `delayMs`. */
  | { readonly kind: 'delay'; readonly delayMs: number }
  /** Carries the request out at once and answers honestly once `until` resolves. */
  | { readonly kind: 'held'; readonly until: Promise<unknown> }
  /** Answers with this instead. An object as body is sent as JSON. */
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown } & Replaced
  /** Writes these bytes on the socket, and closes it unless `keepOpen`. */
  | { readonly kind: 'raw'; readonly bytes: string | Buffer; readonly keepOpen?: boolean } & Replaced
  /** The honest answer, head included, `bytes` at a time. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  /** The honest answer's head and the first `bytes` of its body, then silence. */
  | { readonly kind: 'stall'; readonly bytes: number }
  /** The honest answer's head and the first `bytes` of its body, then the end of the connection. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** To `location`. Default status 307: method and body are to be sent again. */
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: 301 | 302 | 303 | 307 | 308 } & Replaced
  /** JSON that is `bytes` long once it is unzipped. */
  | { readonly kind: 'gzip-bomb'; readonly bytes: number } & Replaced
  /** JSON that is `bytes` long as it is. */
  | { readonly kind: 'oversized'; readonly bytes: number } & Replaced
  /** A page with a script in it, status 200. */
  | { readonly kind: 'html' } & Replaced
  /** The honest answer under another content type. */
  | { readonly kind: 'content-type'; readonly contentType: string }
  /** The honest answer, its JSON changed. */
  | { readonly kind: 'rewrite'; readonly change: (body: never) => unknown }
  /** The honest answer, and behind it, on the same connection, `bytes` that nobody asked for: by default a whole answer. */
  | { readonly kind: 'poisoned'; readonly bytes?: string };

export interface LikelyFault {
  /** Of 0 to 1. All of a mix together are at most 1; the rest is honest. */
  readonly probability: number;
  readonly fault: Fault;
}

type Standing = () => Fault | undefined;

export class Faults {
  readonly #queues = new Map<EndpointName, (Fault | undefined)[]>();
  readonly #standing = new Map<EndpointName, Standing>();

  /** Queues faults for the next requests to `endpoint`, after those that are queued; `undefined` is an honest response. */
  next(endpoint: EndpointName, ...faults: readonly (Fault | undefined)[]): void {
    const queue = this.#queues.get(endpoint) ?? [];
    queue.push(...faults);
    this.#queues.set(endpoint, queue);
  }

  /** For every request to `endpoint` that has no fault of its own; `undefined` for honest answers again. */
  always(endpoint: EndpointName, fault: Fault | undefined): void {
    this.#standing.set(endpoint, () => fault);
  }

  /** As `always`, with a random fault each time. The same seed gives the same faults. */
  mix(endpoint: EndpointName, mix: readonly LikelyFault[], seed: number): void {
    const random = seededRandom(seed);
    this.#standing.set(endpoint, () => {
      let left = random();
      return mix.find(({ probability }) => (left -= probability) < 0)?.fault;
    });
  }

  /** Removes every fault. */
  clear(): void {
    this.#queues.clear();
    this.#standing.clear();
  }

  /** The fault for this request. */
  take(endpoint: EndpointName): Fault | undefined {
    const queue = this.#queues.get(endpoint);
    return queue !== undefined && queue.length > 0 ? queue.shift() : this.#standing.get(endpoint)?.();
  }
}

/** Mulberry32: pseudorandom numbers from 0 to below 1. */
function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
