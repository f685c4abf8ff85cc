/** The answer that ends a sync, judged before anything is done with it. */

import { PROBLEM_TYPE_PREFIX, problemTypes, type SyncOutcome } from '@vestibule/shared';
import type { WidgetProblem } from '../../client/problem.ts';

/** Whether the browser can be sent to the completion URL: an http(s) address and nothing else. */
export function isOutcome({ completion_url }: SyncOutcome): boolean {
  return /^https?:$/.test(URL.parse(completion_url)?.protocol ?? '');
}

/** The problem of an outcome that names no address to go to. */
export function unusableOutcome(): WidgetProblem {
  return { type: `${PROBLEM_TYPE_PREFIX}bad-service-response`, ...problemTypes['bad-service-response'], detail: 'The sign-in has no address to go on to.' };
}
