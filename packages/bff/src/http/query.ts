/** Query strings as they were sent. Express's parsers merge or nest repeated parameters. */

import type { Request } from 'express';
import { ProblemError } from './problem-error.ts';

export function queryOf({ originalUrl }: Request): URLSearchParams {
  return new URLSearchParams(originalUrl.includes('?') ? originalUrl.slice(originalUrl.indexOf('?') + 1) : '');
}

/** @throws {ProblemError} `invalid-request` for a repeated parameter */
export function singleValue(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw new ProblemError('invalid-request', { detail: `${name} is repeated.` });
  return values[0];
}
