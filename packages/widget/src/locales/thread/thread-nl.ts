/** Nederlands: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'Reacties van lezers',
  loading: 'Reacties worden geladen…',
  empty: 'Nog geen reacties.',
  failed: 'De reacties konden niet worden geladen.',
  reference: 'Referentie: {id}',
  tryAgain: 'Opnieuw proberen',
  showMore: 'Meer reacties tonen',
  showWhole: 'Hele reactie tonen',
  unlisted: 'Je nieuwe reactie',
};
