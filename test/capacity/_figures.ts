/** The measured inputs of `docs/capacity.md`, kept in `docs/capacity-figures.json`. */

import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

export const page = resolve(root, 'docs/capacity.md');

const file = resolve(root, 'docs/capacity-figures.json');

/** What one request costs. */
export interface RequestCost {
  /** CPU time of the BFF, in ms. */
  readonly bffMs: number;
  /** CPU time of the Redis, in ms. */
  readonly redisMs: number;
  /** Response with its head, without TLS. */
  readonly responseBytes: number;
}

export const requestNames = ['static', 'session', 'posts', 'post', 'signIn'] as const;

export type RequestName = (typeof requestNames)[number];

export interface CapacityFigures {
  readonly at: string;
  readonly node: string;
  readonly redis: string;
  readonly processor: string;
  /** `static`: `GET /widget.js`, not modified. `posts`: `GET /posts` of a known page. `signIn`: both requests together. */
  readonly requests: Readonly<Record<RequestName, RequestCost>>;
  /** Responses of a first visit, compressed: bytes and how many. */
  readonly firstVisit: { readonly bytes: number; readonly requests: number };
  /** Memory that a record takes in Redis, in bytes, its key included. */
  readonly redisBytes: { readonly session: number; readonly post: number; readonly signIn: number };
}

export async function readFigures(): Promise<CapacityFigures> {
  return JSON.parse(await readFile(file, 'utf8')) as CapacityFigures;
}

export async function writeFigures(figures: CapacityFigures): Promise<void> {
  await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`);
}
