/** `@vestibule/widget/vue`: the elements in templates, for Vue 3.3 and later with its language tools. Types only.
 *  `compilerOptions.isCustomElement` must accept tags that begin with `vestibule-`. */

import type { HTMLAttributes, VNodeProps } from 'vue';
import type { ElementProps, Elements } from './elements.d.ts';

type Pascal<Name extends string> = Name extends `${infer First}-${infer Rest}` ? `${Capitalize<First>}${Pascal<Rest>}` : Capitalize<Name>;

/** The listener `onvestibule-posted` of JSX is `onVestibulePosted` here. */
type Props<Tag extends keyof Elements> = {
  [Name in keyof ElementProps<Tag> as Name extends `on${infer Event extends `vestibule-${string}`}` ? `on${Pascal<Event>}` : Name]:
  ElementProps<Tag>[Name];
};

type Components = {
  [Tag in keyof Elements]: new () => { $props: Omit<HTMLAttributes, keyof Props<Tag>> & Props<Tag> & Pick<VNodeProps, 'key' | 'ref'> };
};

declare module 'vue' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- extends an interface of Vue
  interface GlobalComponents extends Components {}
}
