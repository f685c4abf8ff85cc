/** Exits of a sign-in that is over. */

import { parseUrl } from '../lib/parse-url.ts';
import { isWebUrl } from '../lib/web-url.ts';

export type ExitAction =
  /** The comment box that carries the form. */
  | { readonly kind: 'comments' }
  /** This window is one of its own: close it. */
  | { readonly kind: 'window' }
  /** The publisher's site. */
  | { readonly kind: 'site'; readonly href: string; readonly site: string };

export interface ExitContext {
  /** Within the comment box. */
  readonly inline: boolean;
  /** Origins of the pages that open this one; empty where it is no window of its own. */
  readonly openerOrigins: readonly string[];
  readonly hasOpener: boolean;
  /** Origin of this page. */
  readonly origin: string;
}

/** A window without its opener (`Cross-Origin-Opener-Policy`) looks like a tab: it has both exits. */
export function findExitActions({ inline, openerOrigins, hasOpener, origin }: ExitContext): readonly ExitAction[] {
  if (inline) return [{ kind: 'comments' }];
  if (hasOpener) return [{ kind: 'window' }];
  const site = parseUrl(openerOrigins[0] ?? origin);
  return [
    ...(openerOrigins.length > 0 ? [{ kind: 'window' } as const] : []),
    ...(isWebUrl(site) ? [{ kind: 'site', href: `${site.origin}/`, site: site.host } as const] : []),
  ];
}
