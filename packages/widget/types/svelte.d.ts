/** `@vestibule/widget/svelte`: the elements in the templates of Svelte 5. Types only. */

import type { CustomElements } from '@vestibule/widget/jsx';

declare module 'svelte/elements' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- extends an interface of Svelte
  interface SvelteHTMLElements extends CustomElements {}
}
