/** Message for a problem: the form's phrase, else the comment box's, else the BFF's detail. */

import { PROBLEM_TYPE_PREFIX } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import type { ProblemStrings } from '../locales/en-problems.ts';
import type { SyncStrings } from '../locales/en-sync.ts';

export function problemMessage({ type, detail }: WidgetProblem, own: SyncStrings['problems'], common: ProblemStrings): string {
  const words: Readonly<Record<string, string>> = { ...common, ...own };
  const name = type.slice(PROBLEM_TYPE_PREFIX.length);
  return Object.hasOwn(words, name) ? words[name] ?? detail : detail;
}
