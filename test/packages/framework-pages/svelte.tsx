/** What a template of Svelte 5 may give the elements. It is compiled, never run. */

import type { SvelteHTMLElements } from 'svelte/elements';
import type {} from '@vestibule/widget/svelte';

export const page: SvelteHTMLElements['vestibule-comments'] = {
  forum: 'news', 'max-length': 9, style: '--vestibule-accent: #900', 'aria-label': 'Comments', class: ['box', { closed: true }], 'data-x': '1',
  onclick: (event) => { event.currentTarget.signIn(); }, 'onvestibule-posted': ({ detail }) => { console.log(detail.post); },
};
export const count: SvelteHTMLElements['vestibule-count'] = { forum: 'news', page: '/1', class: 'count' };
// @ts-expect-error -- a number
export const mistaken: SvelteHTMLElements['vestibule-comments'] = { 'max-length': '9' };
