/** A page of another publisher's: nothing but the widget, under a policy of the test's choosing. Served on localhost, as the
 *  demonstration is, under a port of its own, so it is another origin and the same site. */

import { createServer } from 'node:http';
import { closeServer, listen } from '../lib/loopback-server.ts';

export interface PolicedPage extends AsyncDisposable {
  readonly origin: string;
}

/** What is served: the same body at every path, and the policy that is sent with it. */
export interface PagePlan {
  readonly policy: string;
  readonly body: string;
  /** Scripts of the page's own, by path. */
  readonly scripts?: Readonly<Record<string, string>>;
}

/** Everything but what Trusted Types adds. `bff`: its origin. */
export function strictPolicy(bff: string, ...more: readonly string[]): string {
  return [
    `default-src 'none'`, `script-src 'self' ${bff}`, `style-src 'self'`, `connect-src 'self' ${bff}`,
    `require-trusted-types-for 'script'`, ...more,
  ].join('; ');
}

export async function servePage(plan: () => PagePlan): Promise<PolicedPage> {
  const server = createServer((request, response) => {
    const { policy, body, scripts = {} } = plan();
    const script = scripts[new URL(request.url ?? '/', 'http://page').pathname];
    if (script !== undefined) response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script);
    else if (request.url === '/favicon.ico') response.writeHead(204).end();
    else {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy });
      response.end(`<!doctype html><html lang="en"><title>A page</title><body>${body}</body></html>`);
    }
  });
  return { origin: await listen(server, { host: 'localhost' }), [Symbol.asyncDispose]: () => closeServer(server) };
}
