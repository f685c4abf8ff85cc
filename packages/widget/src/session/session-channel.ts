/**
 * Messages between the pages of a reader, by `BroadcastChannel` on one origin and by `postMessage` to the opener of a window. The
 * form page reports a change of the session to a comment box. A box reports a sign-out to the other boxes. A message is a hint:
 * the receiver requests the session. Where no message can arrive (another site, an opener cut off by
 * `Cross-Origin-Opener-Policy`), the box requests the session every few seconds.
 */

import { isProblem, type WidgetProblem } from '../client/problem.ts';

const changes = ['changed', 'signed-in', 'already-granted', 'signed-out'] as const;

/** How a sign-in ended in the page that sends the hint; `changed`: in another way. */
export type SessionChange = typeof changes[number];

/** `vestibule`: a change; or, from the BFF's page, why it refused the sign-in. */
interface Message {
  readonly vestibule?: unknown;
  /** Of a failure that ended the sign-in; the BFF delivers it to one page only. */
  readonly instance?: string | undefined;
}

export interface HintSource {
  /** Origins that may send by `postMessage`: the BFF's and the page's own. */
  readonly origins: readonly string[];
  /** Whether this page opened the window `source`; messages of others are ignored. `null`: the window has closed. */
  readonly isOwnWindow: (source: MessageEventSource | null) => boolean;
  readonly signal: AbortSignal;
}

/** Sends a hint to the pages of this origin that use the BFF at `base`, and to the opener of this window if its origin is one of
 *  `openerOrigins`. */
export function announceSessionChange(
  base: URL, change: SessionChange, openerOrigins: readonly string[] = [], instance?: string,
): void {
  const message: Message = { vestibule: change, ...(instance !== undefined && { instance }) };
  const channel = openChannel(base);
  channel?.postMessage(message);
  channel?.close();
  for (const origin of new Set(openerOrigins)) {
    // Never `*` or `/`, which `postMessage` takes too.
    if (/^https?:/.test(origin) && URL.parse(origin)) (window.opener as Window | null)?.postMessage(message, origin);
  }
}

/** Calls `onChange` for each hint about the BFF at `base` until `signal` aborts. */
export function listenForSessionChanges(
  base: URL, source: HintSource, onChange: (change: SessionChange, instance?: string) => void,
): void {
  if (source.signal.aborted) return;
  const receive = ({ vestibule, instance }: Message): void => {
    const change = changes.find((known) => known === vestibule);
    if (change) onChange(change, typeof instance === 'string' ? instance : undefined);
  };
  const channel = openChannel(base);
  channel?.addEventListener('message', ({ data }: MessageEvent<Message | null>) => data && receive(data));
  source.signal.addEventListener('abort', () => channel?.close());
  onMessage(source, (message) => message.vestibule !== 'signed-out' && receive(message));
}

/** The BFF's page reports why it refused the sign-in that this window asked for. */
export function listenForRefusals(source: HintSource, onRefusal: (problem: WidgetProblem) => void): void {
  onMessage(source, ({ vestibule }) => isProblem(vestibule) && onRefusal(vestibule));
}

function onMessage({ origins, isOwnWindow, signal }: HintSource, receive: (message: Message) => void): void {
  window.addEventListener('message', ({ data, origin, source }: MessageEvent<Message | null>) => {
    if (data && origins.includes(origin) && isOwnWindow(source)) receive(data);
  }, { signal });
}

/** `undefined`: the browser refuses it, as Firefox does where it refuses storage. */
function openChannel(base: URL): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(`vestibule ${base.href}`);
  } catch {}
}
