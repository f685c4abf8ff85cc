/**
 * The problem of a response that is not the BFF's: a proxy has replaced it, a firewall has refused the request, or the address is
 * another page's. Its status decides. The identical request is repeated only after a failure that may be temporary.
 */

import type { Endpoint } from '@vestibule/shared';
import { networkProblem } from './network-problem.ts';
import type { WidgetProblem, WidgetProblemType } from './problem.ts';

const TYPES: Readonly<Record<number, WidgetProblemType>> = {
  401: 'not-signed-in', 403: 'firewall', 413: 'payload-too-large', 429: 'too-many-requests',
};

export function foreignProblem(response: Response, endpoint: Endpoint): WidgetProblem {
  const { ok, status } = response;
  const type = isElsewhere(response, endpoint) ? 'not-found' : status === 422 && endpoint.path === '/posts' ? 'post-rejected' : TYPES[status];
  return {
    ...networkProblem,
    type: `urn:vestibule:${type ?? 'network'}`,
    status,
    detail: type ? '' : networkProblem.detail,
    retryable: type !== 'not-found' && (ok || status === 429 || status >= 500),
  };
}

/** There is another page at the BFF's address, or a redirect to one. */
function isElsewhere(response: Response, { method, path }: Endpoint): boolean {
  const { ok, status, type } = response;
  const isPage = (ok && !isJson(response)) || [404, 405, 410].includes(status) || type === 'opaqueredirect';
  return method === 'GET' && path === '/session' && isPage;
}

export function isJson({ headers }: Response): boolean {
  return /^application\/(problem\+)?json\b/i.test(headers.get('Content-Type') ?? '');
}
