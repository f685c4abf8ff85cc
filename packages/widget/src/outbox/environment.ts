/** What the outbox needs of its document and browser. `document-outbox.ts` has the real one. */

import type { NewPost, PostCreated } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import type { EntryStore } from './outbox-entry.ts';

export type Answer =
  | { readonly created: PostCreated }
  | { readonly problem: WidgetProblem; readonly retryAfterSeconds?: number | undefined };

/** `return`: the reader comes back to the document, or the browser restores it. `storage`: another document has written. */
export type Wake = 'online' | 'return' | 'storage';

export interface Environment {
  readonly store: EntryStore;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `act` after `ms`, unless the returned function is called first. */
  after(ms: number, act: () => void): () => void;
  randomKey(): string;
  backoffMs(attempt: number, retryAfterSeconds?: number): number;
  isOnline(): boolean;
  /** The document is being left: its requests fail, and what becomes of them is not known. */
  isLeft(): boolean;
  /** `POST /posts`. Never rejects. The request goes on when the document is left. */
  post(bff: string, post: NewPost, key: string, language: string): Promise<Answer>;
  /** Runs `act` while no other document runs one of this name. */
  hold(name: string, act: () => Promise<void>): Promise<void>;
  /** The same, or nothing if another document does. */
  ifFree(name: string, act: () => Promise<void>): Promise<void>;
  listen(onWake: (wake: Wake) => void): () => void;
  reportError(error: unknown): void;
}
