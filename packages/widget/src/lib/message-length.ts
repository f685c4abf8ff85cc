/** Length of a message relative to its limit. */

import { countCodePoints } from '@vestibule/shared';

export interface MessageLength {
  /** Code points; below 0: too long. */
  readonly left: number;
  /** The counter is shown. */
  readonly isNear: boolean;
}

/** The limit of a box: the BFF's, or the page's if lower. */
export function lowerLimit(bffLimit: number | undefined, pageLimit: number | null): number {
  return Math.min(bffLimit ?? Infinity, pageLimit !== null && pageLimit > 0 ? pageLimit : Infinity);
}

/** Near is the last tenth, 200 code points at most. */
export function measureMessage(text: string, limit: number): MessageLength {
  const left = limit - countCodePoints(text);
  return { left, isNear: left <= Math.min(200, limit / 10) };
}
