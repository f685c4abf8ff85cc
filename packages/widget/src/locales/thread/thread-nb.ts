/** Norsk bokmål: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'Lesernes kommentarer',
  loading: 'Kommentarene lastes inn…',
  empty: 'Ingen kommentarer ennå.',
  failed: 'Kommentarene kunne ikke lastes inn.',
  reference: 'Referanse: {id}',
  tryAgain: 'Prøv igjen',
  showMore: 'Vis flere kommentarer',
  showWhole: 'Vis hele kommentaren',
  unlisted: 'Den nye kommentaren din',
};
