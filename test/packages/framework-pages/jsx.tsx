/** What other JSX may give the elements. It is compiled, never run. */

import type { CustomElements, CustomElementsSolidJs } from '@vestibule/widget/jsx';
export const jsx: CustomElements['vestibule-comments'] = { forum: 'x', 'show-posts': true, style: 'color: red', 'onvestibule-ready': () => {} };
export const solid: CustomElementsSolidJs['vestibule-comments'] = { 'prop:maxLength': 3, 'attr:max-length': 3, 'on:vestibule-posted': ({ detail }) => { console.log(detail.post); } };
// @ts-expect-error -- text
export const mistaken: CustomElements['vestibule-count'] = { page: 1 };
