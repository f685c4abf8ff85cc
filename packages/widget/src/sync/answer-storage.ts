/** Keeps unsent answers in sessionStorage, for one reader and forum at a time. They are removed when the sign-in ends. Without
 *  storage they last as long as the page. */

import type { RawAnswer, RawAnswers } from './answers.ts';

export interface AnswerOwner {
  /** The BFF's public URL. */
  readonly bff: string;
  readonly forum: string | undefined;
  readonly userId: string;
}

export function storeAnswers(owner: AnswerOwner, answers: RawAnswers): void {
  const kept = { forum: owner.forum ?? '', userId: owner.userId, answers: [...answers].map(([name, { value }]) => [name, value]) };
  withStorage((storage) => storage.setItem(keyOf(owner), JSON.stringify(kept)));
}

export function readStoredAnswers(owner: AnswerOwner): RawAnswers {
  const kept = withStorage((storage) => JSON.parse(storage.getItem(keyOf(owner)) ?? 'null') as unknown);
  return new Map(isKept(kept) && kept.forum === (owner.forum ?? '') && kept.userId === owner.userId ? kept.answers.filter(isAnswer).map(toRaw) : []);
}

export function removeStoredAnswers({ bff }: Pick<AnswerOwner, 'bff'>): void {
  withStorage((storage) => storage.removeItem(keyOf({ bff })));
}

function keyOf({ bff }: Pick<AnswerOwner, 'bff'>): string {
  return `vestibule:answers:${bff}`;
}

interface Kept {
  readonly forum: string;
  readonly userId: string;
  readonly answers: readonly unknown[];
}

function isKept(value: unknown): value is Kept {
  return typeof value === 'object' && value !== null && 'answers' in value && Array.isArray(value.answers);
}

function isAnswer(entry: unknown): entry is readonly [string, string | boolean] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && ['string', 'boolean'].includes(typeof entry[1]);
}

function toRaw([name, value]: readonly [string, string | boolean]): [string, RawAnswer] {
  return [name, { value }];
}

/** Storage may be denied, full, or written by another script: nothing is then kept. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage);
  } catch {}
}
