/** A page of another publisher: nothing but the widget, under a policy that the test chooses. Served on localhost, as the
 *  demonstration is, on another port: another origin, the same site. */

import { createServer } from 'node:http';
import { closeServer, listen } from '../lib/loopback-server.ts';

export interface PolicedPage extends AsyncDisposable {
  readonly origin: string;
}

/** The same body at every path, and its policy. */
export interface PagePlan {
  readonly policy: string;
  readonly body: string;
}

/** @param bff origin of the BFF
 *  @param list directive `trusted-types` */
export function strictPolicy(bff: string, list?: string): string {
  return [
    `default-src 'none'`, `script-src 'self' ${bff}`, `style-src 'self'`, `connect-src 'self' ${bff}`,
    `require-trusted-types-for 'script'`, ...(list ? [list] : []),
  ].join('; ');
}

export async function servePage(plan: () => PagePlan): Promise<PolicedPage> {
  const server = createServer(({ url }, response) => {
    const { policy, body } = plan();
    if (url === '/favicon.ico') response.writeHead(204).end();
    else {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy });
      response.end(`<!doctype html><html lang="en"><title>A page</title><body>${body}</body></html>`);
    }
  });
  return { origin: await listen(server, { host: 'localhost' }), [Symbol.asyncDispose]: () => closeServer(server) };
}
