/** Cursors of hooks, as readers get them: with a MAC over what they belong to, so that a hook gets its own ones only. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { HOOK_CURSOR_MAX_LENGTH } from '../hooks/post-entry.ts';
import { ProblemError } from '../problem.ts';

/** Longest cursor with its MAC, in code points. */
export const CURSOR_MAX_LENGTH = HOOK_CURSOR_MAX_LENGTH + 64;

/** @returns `sign` and `verify`; `owner` names what the cursor belongs to */
export function createCursors({ cookieSecrets, siteKey }: Pick<Config, 'cookieSecrets' | 'siteKey'>) {
  return {
    sign: (cursor: string, owner: readonly string[]): string => `${cursor}.${macsOf(cursor, owner)[0]}`,

    /** The cursor of the hook; `undefined`: it belongs to something else, or is none. */
    verify(signed: string, owner: readonly string[]): string | undefined {
      const dot = signed.lastIndexOf('.');
      const cursor = signed.slice(0, Math.max(dot, 0));
      const mac = Buffer.from(signed.slice(dot + 1));
      const isOwn = macsOf(cursor, owner).some((one) => mac.length === one.length && timingSafeEqual(mac, Buffer.from(one)));
      return cursor !== '' && isOwn ? cursor : undefined;
    },
  };

  /** By secret, the newest first. */
  function macsOf(cursor: string, owner: readonly string[]): readonly string[] {
    const signed = JSON.stringify(['cursor', ...owner, cursor, ...(siteKey === '' ? [] : [siteKey])]);
    return cookieSecrets.map((secret) => createHmac('sha256', secret).update(signed).digest('base64url').slice(0, 22));
  }
}

export function unknownCursor(name: string): ProblemError {
  return new ProblemError('invalid-request', { detail: `${name} is not one of this list.` });
}
