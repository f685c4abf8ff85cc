/** Checks the response that ends a sign-in. */

import { PROBLEM_TYPE_PREFIX, problemTypes, type SyncOutcome } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import { parseUrl } from '../lib/parse-url.ts';
import { isWebUrl } from '../lib/web-url.ts';

/** Whether the completion URL is an http(s) URL. */
export function isOutcome({ completion_url }: SyncOutcome): boolean {
  return isWebUrl(parseUrl(completion_url));
}

/** The problem of a response without such a URL. */
export function unusableOutcome(): WidgetProblem {
  return { type: `${PROBLEM_TYPE_PREFIX}bad-service-response`, ...problemTypes['bad-service-response'], detail: 'The sign-in has no address to go on to.' };
}
