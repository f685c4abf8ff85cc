/**
 * Messages between the pages of a reader. The form page reports a change of the session to a comment box. A box reports a
 * sign-out to the other boxes. A message is a hint: the receiver requests the session. Where no message can arrive (another site,
 * an opener cut off by `Cross-Origin-Opener-Policy`), the box requests the session every few seconds.
 */

import { isProblem, type WidgetProblem } from '../client/problem.ts';

/** How a sign-in ended in the page that sends the hint; `changed`: in another way. */
export type SessionChange = 'changed' | 'signed-in' | 'already-granted' | 'signed-out';

interface Hint {
  readonly vestibule: SessionChange;
  /** Of a failure that ended the sign-in; the BFF delivers it to one page only. */
  readonly instance?: string | undefined;
}

/** Sends a hint to the pages of this origin that use the BFF at `base`, and to the opener of this window if its origin is one of
 *  `openerOrigins`. */
export function announceSessionChange(
  base: URL, change: SessionChange, openerOrigins: readonly string[] = [], instance?: string,
): void {
  const hint: Hint = { vestibule: change, ...(instance !== undefined && { instance }) };
  const channel = openChannel(base);
  channel?.postMessage(hint);
  channel?.close();
  const opener = window.opener as Window | null;
  if (!opener) return;
  for (const origin of new Set(openerOrigins)) {
    if (isOrigin(origin)) opener.postMessage(hint, origin);
  }
}

/** The BFF's page reports why it refused the sign-in that this window asked for. */
export function listenForRefusals(source: HintSource, onRefusal: (problem: WidgetProblem) => void): void {
  const { origins, isOwnWindow, signal } = source;
  window.addEventListener('message', ({ data, origin, source: sender }) => {
    const problem: unknown = typeof data === 'object' && data !== null && 'vestibule' in data ? data.vestibule : undefined;
    if (origins.includes(origin) && isOwnWindow(sender) && isProblem(problem)) onRefusal(problem);
  }, { signal });
}

/** `undefined`: the browser refuses it, as Firefox does where it refuses storage. */
function openChannel(base: URL): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(`vestibule ${base.href}`);
  } catch {}
}

export interface HintSource {
  /** Origins that may send by `postMessage`: the BFF's and the page's own. */
  readonly origins: readonly string[];
  /** Whether this page opened the window `source`; messages of others are ignored. `null`: the window has closed. */
  readonly isOwnWindow: (source: MessageEventSource | null) => boolean;
  readonly signal: AbortSignal;
}

/** Calls `onChange` for each hint about the BFF at `base` until `signal` aborts. */
export function listenForSessionChanges(
  base: URL, source: HintSource, onChange: (change: SessionChange, instance?: string) => void,
): void {
  const { origins, isOwnWindow, signal } = source;
  if (signal.aborted) return;
  const channel = openChannel(base);
  channel?.addEventListener('message', ({ data }) => {
    if (isHint(data)) onChange(data.vestibule, data.instance);
  });
  signal.addEventListener('abort', () => channel?.close());
  window.addEventListener('message', ({ data, origin, source: sender }) => {
    if (origins.includes(origin) && isOwnWindow(sender) && isHint(data) && data.vestibule !== 'signed-out') onChange(data.vestibule, data.instance);
  }, { signal });
}

const changes: readonly unknown[] = ['changed', 'signed-in', 'already-granted', 'signed-out'] satisfies readonly SessionChange[];

function isHint(data: unknown): data is Hint {
  return typeof data === 'object' && data !== null && 'vestibule' in data && changes.includes(data.vestibule)
    && ['string', 'undefined'].includes(typeof (data as Partial<Hint>).instance);
}

/** Whether `text` is an http(s) origin as browsers write it: never `*`, `/` or `null`. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.parse(text)?.origin === text;
}
