/** `@vestibule/widget/svelte`: the elements in the templates of Svelte 5. Types only. */

import type { HTMLAttributes } from 'svelte/elements';
import type { ElementProps, Elements } from './elements.d.ts';

type Props<Tag extends keyof Elements> = ElementProps<Tag> & Omit<HTMLAttributes<Elements[Tag]>, keyof ElementProps<Tag>>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'vestibule-comments': Props<'vestibule-comments'>;
    'vestibule-count': Props<'vestibule-count'>;
    'vestibule-sync': Props<'vestibule-sync'>;
  }
}
