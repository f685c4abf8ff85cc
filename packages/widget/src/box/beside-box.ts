/** What loads beside the box, in one chunk: the language of its element, and what the box and the count have in common. */

export { articleKey } from '@vestibule/shared';
export { fetchPublic } from '../client/fetch-public.ts';
export { loadLanguageOf } from '../locales/localizer.ts';
