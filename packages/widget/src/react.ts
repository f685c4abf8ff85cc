/** `@vestibule/widget/react`: the elements in JSX, for React 19 and its typings. Types only; an import of it loads nothing.
 *  React 19 sets properties as properties and takes `onvestibule-posted` as a listener of `vestibule-posted`. */

import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { VestibuleComments } from './comments/vestibule-comments.ts';
import type { VestibuleSync } from './sync/vestibule-sync.ts';
import type {
  VestibuleCompletedEvent, VestibuleErrorEvent, VestibulePostedEvent, VestibuleReadyEvent, VestibuleStateEvent,
} from './events.ts';
import type { OwnStrings } from './locales/own-strings.ts';

/** A handler's parameter: the event with the element as `currentTarget`. */
type Handler<Event, Element> = (event: Event & { readonly currentTarget: Element }) => void;

type Common<Element> = Omit<DetailedHTMLProps<HTMLAttributes<Element>, Element>, 'children'> & {
  readonly bff?: string | null | undefined;
  readonly theme?: 'auto' | 'light' | 'dark' | undefined;
  readonly headingLevel?: number | undefined;
  readonly 'heading-level'?: number | undefined;
  readonly strings?: OwnStrings | undefined;
  readonly 'onvestibule-state'?: Handler<VestibuleStateEvent, Element> | undefined;
  readonly 'onvestibule-error'?: Handler<VestibuleErrorEvent, Element> | undefined;
  readonly 'onvestibule-completed'?: Handler<VestibuleCompletedEvent, Element> | undefined;
};

export type VestibuleCommentsProps = Common<VestibuleComments> & {
  /** Short name of the forum. */
  readonly forum: string;
  /** Identity of the article: an absolute URL. */
  readonly page?: string | null | undefined;
  readonly sync?: VestibuleComments['sync'] | undefined;
  readonly maxLength?: number | null | undefined;
  readonly 'max-length'?: number | undefined;
  readonly prefill?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly showPosts?: boolean | undefined;
  readonly 'onvestibule-ready'?: Handler<VestibuleReadyEvent, VestibuleComments> | undefined;
  readonly 'onvestibule-posted'?: Handler<VestibulePostedEvent, VestibuleComments> | undefined;
};

export type VestibuleSyncProps = Common<VestibuleSync> & {
  readonly forum?: string | null | undefined;
  readonly openerOrigins?: string | null | undefined;
  readonly 'opener-origins'?: string | undefined;
  readonly syncReturn?: VestibuleSync['syncReturn'] | undefined;
  /** A link of the page's own in the slot `back`. */
  readonly children?: HTMLAttributes<VestibuleSync>['children'];
};

declare module 'react' {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- so React's typings are extended
  namespace JSX {
    interface IntrinsicElements {
      'vestibule-comments': VestibuleCommentsProps;
      'vestibule-sync': VestibuleSyncProps;
    }
  }
}
