/** What the process answers: everything under the path of its public address, its health at the root too. */

import type { RequestListener } from 'node:http';
import express from 'express';
import { endpoints } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { ProblemError } from '../http/problem-error.ts';
import { problemResponse } from '../http/problem-response.ts';
import { securityHeaders } from '../http/security-headers.ts';
import type { Vestibule } from '../vestibule.ts';

/** The router takes the path off by itself: mounted in another application, each request would pass through two. */
export function createHostApp({ router }: Vestibule, { publicUrl }: Config): RequestListener {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  const healthPaths: readonly string[] = [endpoints.health.path, endpoints.readiness.path];
  const isHealth = (url: string) => healthPaths.includes(url.split('?', 1)[0] ?? '');
  const elsewhere = express().disable('x-powered-by')
    .use(securityHeaders, () => { throw new ProblemError('not-found'); })
    .use(problemResponse(() => undefined));
  return (req, res) => {
    const { url = '' } = req;
    if (url.startsWith(`${base}/`) || isHealth(url)) router(req, res);
    else elsewhere(req, res);
  };
}
