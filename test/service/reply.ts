/** The response of a handler, which is sent as it is or altered by a fault. */

import type { Html } from './html.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export function jsonReply(status: number, body: unknown): Reply {
  return { status, headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }, body: JSON.stringify(body) };
}

/** A page under a strict policy. `formTargets` are the origins that a form's answer may redirect to. */
export function pageReply(status: number, page: Html, formTargets: readonly string[] = []): Reply {
  const policy = `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; base-uri 'none'; `
    + `frame-ancestors 'none'; form-action ${["'self'", ...formTargets].join(' ')}`;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
    body: page.text,
  };
}

export function redirectReply(location: string, status: 302 | 303 = 303): Reply {
  return { status, headers: { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }, body: '' };
}
