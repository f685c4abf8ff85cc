/** `@vestibule/widget/vue`: the elements in templates, for Vue 3.3 and later with Volar. Types only; an import of it loads
 *  nothing. `compilerOptions.isCustomElement` must accept tags that begin with `vestibule-`. */

import type { HTMLAttributes } from 'vue';
import type { VestibuleComments } from './comments/vestibule-comments.ts';
import type { VestibuleSync } from './sync/vestibule-sync.ts';
import type {
  VestibuleCompletedEvent, VestibuleErrorEvent, VestibulePostedEvent, VestibuleReadyEvent, VestibuleStateEvent,
} from './events.ts';

/** An intersection of functions: one overload for each member of a union. */
type Overloads<F> = (F extends unknown ? (f: F) => void : never) extends (overloads: infer All) => void ? All : never;

/** A custom element, as Vue describes a component. */
type CustomElement<Element, Props, Events> = new () => Element & {
  /** @internal */
  $props: HTMLAttributes & Props & { readonly [Name in keyof Events & string as `on${Capitalize<Name>}`]?: (event: Events[Name]) => void };
  /** @internal */
  $emit: Overloads<{ [Name in keyof Events]: (name: Name, event: Events[Name]) => void }[keyof Events]>;
};

interface CommonEvents {
  'vestibule-state': VestibuleStateEvent;
  'vestibule-error': VestibuleErrorEvent;
  'vestibule-completed': VestibuleCompletedEvent;
}

type CommonProps<Element extends VestibuleComments | VestibuleSync> = Partial<Pick<Element, 'bff' | 'theme' | 'headingLevel' | 'strings'>>;

type CommentsProps = CommonProps<VestibuleComments>
  & Pick<VestibuleComments, 'forum'>
  & Partial<Pick<VestibuleComments, 'page' | 'sync' | 'maxLength' | 'prefill' | 'placeholder' | 'showPosts'>>;

interface CommentsEvents extends CommonEvents {
  'vestibule-ready': VestibuleReadyEvent;
  'vestibule-posted': VestibulePostedEvent;
}

type SyncProps = CommonProps<VestibuleSync> & Partial<Pick<VestibuleSync, 'forum' | 'openerOrigins' | 'syncReturn'>>;

declare module 'vue' {
  interface GlobalComponents {
    'vestibule-comments': CustomElement<VestibuleComments, CommentsProps, CommentsEvents>;
    'vestibule-sync': CustomElement<VestibuleSync, SyncProps, CommonEvents>;
  }
}
