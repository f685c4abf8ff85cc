/** A state of an element in the gallery: the responses of its BFF and the steps of its reader. */

import type { SyncReturn } from '@vestibule/shared';
import type { BffScript } from '../../packages/widget/testing/scripted-bff.ts';

export interface State {
  /** Path segment. */
  readonly name: string;
  readonly tag: 'vestibule-comments' | 'vestibule-sync';
  readonly attributes?: Readonly<Record<string, string>>;
  readonly bff?: BffScript;
  /** `METHOD /path` of requests that get no response. */
  readonly pending?: readonly string[];
  readonly syncReturn?: SyncReturn;
  /** Markup of the page in the element's slots. */
  readonly slotted?: string;
  /** Steps in order; each waits for its control. */
  readonly steps?: readonly Step[];
  /** Visible text once the state is reached. */
  readonly shows: string;
}

export type Step =
  /** Types into the field with the label `into`. */
  | { readonly write: string; readonly into?: string }
  /** Presses the button with this text; `msAgo`: that long ago, so that what follows after this time is due. */
  | { readonly press: string; readonly msAgo?: number }
  /** Another tab stores this text for the same page. */
  | { readonly elsewhere: string }
  /** The form page in the sign-in window sends this message. */
  | { readonly message: 'signed-in' | 'already-granted' };
