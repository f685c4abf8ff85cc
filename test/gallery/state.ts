/** A state of an element as the gallery shows it: what its BFF answers, and what its reader has done so far. */

import type { SyncReturn } from '@vestibule/shared';
import type { BffScript } from '../../packages/widget/testing/scripted-bff.ts';

export interface State {
  /** Part of an address. */
  readonly name: string;
  readonly tag: 'vestibule-comments' | 'vestibule-sync';
  readonly attributes?: Readonly<Record<string, string>>;
  readonly bff?: BffScript;
  readonly syncReturn?: SyncReturn;
  /** The page's own, with the element's slots. */
  readonly slotted?: string;
  /** One after the other, each once the button it presses is there. */
  readonly steps?: readonly Step[];
  /** Words that are on the screen once the state is reached. */
  readonly shows: string;
}

export type Step =
  /** Into the field with this label. */
  | { readonly write: string; readonly into?: string }
  /** A button by its words. */
  | { readonly press: string }
  /** Another tab has stored this text for the same page. */
  | { readonly elsewhere: string }
  /** The form page in the sign-in window sends this message. */
  | { readonly message: 'signed-in' | 'already-granted' };
