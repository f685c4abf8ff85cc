/** How the page with the validation form tells a comment box that the session has changed. A message is a hint and no
 *  more: it carries nothing, and whoever hears it asks `GET /session`. Where no message can come through (another site,
 *  an opener cut off by `Cross-Origin-Opener-Policy`) the box finds out by asking. */

const CHANNEL = 'vestibule';

const HINT = { vestibule: 'session-changed' } as const;

/** Tells the pages of this origin, and the page that opened this window if it belongs to one of `openerOrigins`. */
export function announceSessionChange(openerOrigins: readonly string[] = []): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(HINT);
  channel.close();
  const opener = window.opener as Window | null;
  if (!opener) return;
  for (const origin of new Set(openerOrigins)) {
    if (isOrigin(origin)) opener.postMessage(HINT, origin);
  }
}

export interface HintSource {
  /** Origins that may speak by `postMessage`: the BFF's and the page's own. */
  readonly origins: readonly string[];
  /** Whether `source` is a window that this page opened. A message from any other is not heard. */
  readonly isOwnWindow: (source: MessageEventSource | null) => boolean;
  readonly signal: AbortSignal;
}

/** Calls `hear` for each hint until `signal` aborts. */
export function hearSessionChanges({ origins, isOwnWindow, signal }: HintSource, hear: () => void): void {
  if (signal.aborted) return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }) => {
    if (isHint(data)) hear();
  }, { signal });
  signal.addEventListener('abort', () => channel.close(), { once: true });
  window.addEventListener('message', ({ data, origin, source }) => {
    if (origins.includes(origin) && isOwnWindow(source) && isHint(data)) hear();
  }, { signal });
}

function isHint(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'vestibule' in data && data.vestibule === HINT.vestibule;
}

/** Whether `text` is an http(s) origin as browsers write it: never `*`, `/` or `null`. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}
