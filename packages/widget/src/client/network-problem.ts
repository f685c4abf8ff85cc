import type { WidgetProblem } from './problem.ts';

/** The problem of a response that did not come, or is none of the BFF's; `retryable`: the same request may find one. */
export function networkProblem({ status = 0, retryable = true } = {}): WidgetProblem {
  return { type: 'urn:vestibule:network', title: 'No response', status, detail: 'The BFF could not be reached.', retryable };
}
