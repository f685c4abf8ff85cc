/** What a template of Vue 3 may give the elements. It is compiled, never run. */

import { ref, type GlobalComponents } from 'vue';
import type {} from '@vestibule/widget/vue';
import type { VestibuleComments } from '@vestibule/widget';

type Props = InstanceType<GlobalComponents['vestibule-comments']>['$props'];

const box = ref<VestibuleComments>();
export const page: Props = {
  key: 'article', ref: box, id: 'a', forum: 'news', maxLength: 9, class: ['box', { closed: true }], style: { color: 'red' }, 'aria-label': 'Comments',
  onClick: () => { box.value?.signIn(); }, onVestibulePosted: ({ detail }) => { console.log(detail.post); },
};
// @ts-expect-error -- a number
export const mistaken: Props = { maxLength: '9' };
