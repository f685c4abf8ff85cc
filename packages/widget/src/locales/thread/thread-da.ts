/** Dansk: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'Læsernes kommentarer',
  loading: 'Kommentarerne indlæses…',
  empty: 'Der er ingen kommentarer endnu.',
  failed: 'Kommentarerne kunne ikke indlæses.',
  reference: 'Referencenummer: {id}',
  tryAgain: 'Prøv igen',
  showMore: 'Vis flere kommentarer',
  showWhole: 'Vis hele kommentaren',
  unlisted: 'Din nye kommentar',
};
