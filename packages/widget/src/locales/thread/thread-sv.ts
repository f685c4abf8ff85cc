/** Svenska: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'Läsarnas kommentarer',
  loading: 'Kommentarerna läses in…',
  empty: 'Inga kommentarer ännu.',
  failed: 'Det gick inte att läsa in kommentarerna.',
  reference: 'Referens: {id}',
  tryAgain: 'Försök igen',
  showMore: 'Visa fler kommentarer',
  showWhole: 'Visa hela kommentaren',
  unlisted: 'Din nya kommentar',
};
