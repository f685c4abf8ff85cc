/** Problems that the elements report: the BFF's (RFC 9457), and the client's own. */

import type { Problem, PROBLEM_TYPE_PREFIX, ProblemType } from '@vestibule/shared';

/** `network`: no connection, a timeout, or a response that is not the BFF's (a proxy's page, a captive portal). `firewall`: such
 *  a response with status 403. */
export type WidgetProblemType = ProblemType | 'network' | 'firewall';

/** The problem of a `vestibule-error`. */
export interface WidgetProblem extends Omit<Problem, 'type'> {
  readonly type: `${typeof PROBLEM_TYPE_PREFIX}${WidgetProblemType}`;
}

/** The problem of a missing response, or of one that is not the BFF's. */
export const networkProblem: WidgetProblem = {
  type: 'urn:vestibule:network', title: 'No response', status: 0, detail: 'The BFF could not be reached.', retryable: true,
};
