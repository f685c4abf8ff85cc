/** The query of a request as the standard parses it: nothing nested, duplicates kept apart. */

import type { Request } from 'express';

export function queryOf(req: Request): URLSearchParams {
  const mark = req.originalUrl.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : req.originalUrl.slice(mark + 1));
}
