/** The languages that a request asks for, best first. */

import type { Request } from 'express';

export function languagesOf(req: Request): string[] {
  return req.acceptsLanguages().filter((tag) => /^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8}){0,4}$/.test(tag)).slice(0, 10);
}
