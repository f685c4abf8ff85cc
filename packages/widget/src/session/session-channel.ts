/**
 * Messages between the pages of a reader, by `BroadcastChannel` on one origin and by `postMessage` to the opener of a window. The
 * form page reports a change of the session to a comment box. A box reports a sign-out to the other boxes. A message is a hint:
 * the receiver requests the session. Where no message can arrive (another site, an opener cut off by
 * `Cross-Origin-Opener-Policy`), the box requests the session when the reader is back.
 */

import { isProblem } from '../client/client.ts';
import type { WidgetProblem } from '../client/problem.ts';
import { parseUrl } from '../lib/parse-url.ts';

const changes = ['changed', 'signed-in', 'already-granted', 'signed-out'] as const;

/** How a sign-in ended in the page that sends the hint; `changed`: in another way. */
export type SessionChange = typeof changes[number];

/** `vestibule`: a change; or, from the BFF's page, why it refused the sign-in. */
interface Message {
  readonly vestibule?: unknown;
  /** Of a failure that ended the sign-in; the BFF delivers it to one page only. */
  readonly instance?: string | undefined;
  /** `user_id` that was accepted. */
  readonly account?: string | undefined;
}

interface Announcement extends Omit<Message, 'vestibule'> {
  readonly openerOrigins?: readonly string[];
}

/** Sends a hint to the pages of this origin that use the BFF at `base`, and to the opener of this window if its origin is one of
 *  `openerOrigins`. */
export function announceSessionChange(
  base: URL, change: SessionChange, { openerOrigins = [], instance, account }: Announcement = {},
): void {
  const message: Message = { vestibule: change, instance, account };
  const channel = openChannel(base);
  channel?.postMessage(message);
  channel?.close();
  for (const url of openerOrigins.map((opener) => parseUrl(opener))) {
    // Never `*` or `/`, which `postMessage` takes too.
    if (url?.protocol.startsWith('http')) (window.opener as Window | null)?.postMessage(message, url.origin);
  }
}

export interface HintListener {
  /** Whether this page opened the window `source`; messages of others are ignored. `null`: the window has closed. */
  readonly isOwnWindow: (source: MessageEventSource | null) => boolean;
  readonly onChange: (change: SessionChange, instance?: string) => void;
  /** The window that this page has opened reports that the reader has signed in. */
  readonly onWindowFinished: (account: string | undefined) => void;
  /** The BFF's page reports why it refused the sign-in that this window asked for. */
  readonly onRefusal: (problem: WidgetProblem) => void;
  readonly signal: AbortSignal;
}

/** Calls back for each hint about the BFF at `base` until `signal` aborts. A window is of the BFF's origin or of the page's. */
export function listenForHints(base: URL, { isOwnWindow, onChange, onWindowFinished, onRefusal, signal }: HintListener): void {
  const receive = ({ vestibule, instance }: Message): void => {
    const change = changes.find((known) => known === vestibule);
    if (change) onChange(change, typeof instance === 'string' ? instance : undefined);
  };
  const channel = openChannel(base);
  channel?.addEventListener('message', ({ data }: MessageEvent<Message | null>) => data && receive(data));
  signal.addEventListener('abort', () => channel?.close());
  window.addEventListener('message', ({ data, origin, source }: MessageEvent<Message | null>) => {
    if (!data || ![base.origin, globalThis.origin].includes(origin) || !isOwnWindow(source)) return;
    if (data.vestibule === 'signed-in') onWindowFinished(typeof data.account === 'string' ? data.account : undefined);
    if (isProblem(data.vestibule)) onRefusal(data.vestibule);
    else if (data.vestibule !== 'signed-out') receive(data);
  }, { signal });
}

/** `undefined`: the browser refuses it, as Firefox does where it refuses storage. */
function openChannel(base: URL): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(`vestibule ${base.href}`);
  } catch {}
}
