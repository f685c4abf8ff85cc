import type { WidgetProblem } from './problem.ts';

/** The problem of a missing response, or of one that is not the BFF's. */
export const networkProblem: WidgetProblem = {
  type: 'urn:vestibule:network', title: 'No response', status: 0, detail: 'The BFF could not be reached.', retryable: true,
};
