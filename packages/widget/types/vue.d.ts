/** `@vestibule/widget/vue`: the elements in templates, for Vue 3.3 and later with its language tools. Types only.
 *  `compilerOptions.isCustomElement` must accept tags that begin with `vestibule-`. */

import type { HTMLAttributes } from 'vue';
import type { CustomElements } from '@vestibule/widget/jsx';

type Pascal<Name extends string> = Name extends `${infer First}-${infer Rest}` ? `${Capitalize<First>}${Pascal<Rest>}` : Capitalize<Name>;

/** The listener `onvestibule-posted` of JSX is `onVestibulePosted` here. */
type Props<Tag extends keyof CustomElements> = {
  [Name in keyof CustomElements[Tag] as Name extends `on${infer Event extends `vestibule-${string}`}` ? `on${Pascal<Event>}`
    : Exclude<Name, keyof HTMLAttributes | 'key' | 'ref'>]: CustomElements[Tag][Name];
};

type Components = { [Tag in keyof CustomElements]: new () => { $props: HTMLAttributes & Props<Tag> } };

declare module 'vue' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- extends an interface of Vue
  interface GlobalComponents extends Components {}
}
