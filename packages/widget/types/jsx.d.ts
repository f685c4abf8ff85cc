/** `@vestibule/widget/jsx`: the elements in other JSX than React's: the global namespace, Preact, Solid and Hono. Types only. */

/* eslint-disable @typescript-eslint/no-empty-object-type -- extends interfaces of others */

import type { ElementAttributes, ElementProperties, ElementProps, Elements, Events } from './elements.d.ts';

/** What JSX has for every element. Names with a hyphen are not checked. */
interface Common<Element> {
  children?: unknown;
  class?: string | undefined;
  className?: string | undefined;
  dir?: 'ltr' | 'rtl' | 'auto' | undefined;
  hidden?: boolean | undefined;
  id?: string | undefined;
  key?: string | number | undefined;
  lang?: string | undefined;
  part?: string | undefined;
  ref?: Element | ((element: Element) => void) | { current?: Element | null | undefined } | undefined;
  slot?: string | undefined;
  style?: string | Record<string, string | number | undefined> | undefined;
  title?: string | undefined;
}

export type CustomElements = { [Tag in keyof Elements]: ElementProps<Tag> & Common<Elements[Tag]> };

type Prefixed<Prefix extends string, Props> = { [Name in keyof Props as `${Prefix}:${Name & string}`]: Props[Name] };

export type CustomElementsSolidJs = {
  [Tag in keyof Elements]: CustomElements[Tag] & Prefixed<'prop', ElementProperties[Tag]> & Prefixed<'attr', ElementAttributes[Tag]> & Events<'on:'>;
};

declare global {
  namespace JSX {
    interface IntrinsicElements extends CustomElements {}
  }
}

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements extends CustomElements {}
  }
}

declare module 'hono/jsx' {
  namespace JSX {
    interface IntrinsicElements extends CustomElements {}
  }
}

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements extends CustomElementsSolidJs {}
  }
}
