/** State of the comment box from its second stage on. */

import type { Notice, SessionView, SyncReturn } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import type { OwnPost } from '../storage/reader-records.ts';
import type { CommentsStrings } from '../locales/en-comments.ts';

/**
 * Phase of the box; one at a time:
 *
 * | phase | entered when | left when |
 * | --- | --- | --- |
 * | `writing` | initially, and after every other phase | the reader acts |
 * | `checking-session` | the reader posts before the session is known | the session is known or failed |
 * | `posting` | a signed-in reader posts | the submission ends, or the reader stops it |
 * | `unconfirmed` | the comment may have been posted | the reader decides |
 * | `waiting-for-window` | a sign-in window has opened | the session changes, a hint ends it, ten minutes pass |
 * | `confirming-leave` | the browser opened no window, or leaving would lose the text | the reader decides |
 * | `starting-sync` | the reader confirms a callback | the BFF responds |
 * | `validating` | the form is shown in the box | the form ends or fails to load |
 * | `cancelling-sync` | the reader cancels a waiting sign-in | the BFF responds |
 * | `cookie-blocked` | a sign-in succeeded and the session is not there | the reader decides |
 * | `confirming-sign-out` | a sign-out would delete text | the reader decides |
 * | `signing-out` | the reader signs out | the BFF responds |
 */
export type Phase =
  | { readonly name: 'writing' }
  | { readonly name: 'checking-session'; readonly message: string }
  | { readonly name: 'posting'; readonly retryInSeconds?: number | undefined }
  | { readonly name: 'unconfirmed'; readonly message: string; readonly problem: WidgetProblem }
  | { readonly name: 'waiting-for-window' }
  | { readonly name: 'confirming-leave'; readonly isWindowBlocked: boolean }
  | { readonly name: 'starting-sync'; readonly syncReturn: SyncReturn }
  | { readonly name: 'validating'; readonly syncReturn?: SyncReturn | undefined }
  | { readonly name: 'cancelling-sync' }
  | { readonly name: 'cookie-blocked' }
  | { readonly name: 'confirming-sign-out' }
  | { readonly name: 'signing-out' };

/** Phases in which the box waits for the BFF and takes no further action. */
export const busyPhases: readonly Phase['name'][] = ['checking-session', 'posting', 'starting-sync', 'cancelling-sync', 'signing-out'];

/** Message of the last transition, until the reader acts. */
export type Announcement =
  | { readonly kind: 'message'; readonly message: keyof CommentsStrings['messages'] }
  | { readonly kind: 'notice'; readonly notice: Notice['kind']; readonly instance?: string | undefined }
  | { readonly kind: 'error'; readonly error: 'empty' | 'too-long' | 'invalidCallback' | 'formNotLoaded' }
  | { readonly kind: 'problem'; readonly problem: WidgetProblem }
  | { readonly kind: 'not-posted'; readonly problem: WidgetProblem }
  /** The comment may have been posted; the next attempt settles it. */
  | { readonly kind: 'uncertain'; readonly problem: WidgetProblem };

export interface CommentsState {
  readonly phase: Phase;
  readonly announcement: Announcement | undefined;
  readonly session: {
    /** `undefined` until the first answer. */
    readonly view: SessionView | undefined;
    readonly failure: WidgetProblem | undefined;
    /** This browser was signed in before. */
    readonly isExpected: boolean;
    /** The failed request will be repeated automatically. */
    readonly isRetrying: boolean;
  };
  /** A granted callback that waits for the reader's decision. */
  readonly callback: SyncReturn | undefined;
  readonly draft: {
    readonly text: string;
    /** A second text for the same page. */
    readonly other: string;
    /** Storage has the text. */
    readonly isKept: boolean;
    /** Code points up to the limit; below 0: too long. */
    readonly left: number;
    readonly isNearLimit: boolean;
  };
  readonly isOnline: boolean;
  readonly posts: readonly OwnPost[];
}
