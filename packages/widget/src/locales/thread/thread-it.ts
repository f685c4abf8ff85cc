/** Italiano: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'Commenti dei lettori',
  loading: 'Caricamento dei commenti…',
  empty: 'Ancora nessun commento.',
  failed: 'Non è stato possibile caricare i commenti.',
  reference: 'Riferimento: {id}',
  tryAgain: 'Riprova',
  showMore: 'Mostra altri commenti',
  showWhole: 'Mostra tutto il commento',
  unlisted: 'Il tuo nuovo commento',
};
