/** Requests for public data: without cookies, so that shared caches answer them. */

/** The page's origin has refused such a request: it is asked with the reader's credentials from then on. */
let isRefused = false;

/** `fetch` without credentials. Where the origin of the page refuses that (HTTP authentication, a sign-in proxy), again with
 *  them. */
export async function fetchPublic(url: string, init: RequestInit = {}): Promise<Response> {
  const isOwnOrigin = new URL(url).origin === globalThis.origin;
  if (!isRefused) {
    const response = await fetch(url, { ...init, credentials: 'omit', ...(isOwnOrigin && { redirect: 'manual' }) });
    if (!isOwnOrigin || !needsCredentials(response)) return response;
    isRefused = true;
  }
  return fetch(url, { ...init, credentials: 'same-origin' });
}

/** A redirect may lead to a sign-in; some proxies answer with its page at once. */
function needsCredentials(response: Response): boolean {
  return response.type === 'opaqueredirect' || (!isJson(response) && (response.ok || [401, 403].includes(response.status)));
}

/** Whether the response has the media type of a BFF's. */
export function isJson({ headers }: Response): boolean {
  return /^application\/(problem\+)?json\b/i.test(headers.get('Content-Type') ?? '');
}
