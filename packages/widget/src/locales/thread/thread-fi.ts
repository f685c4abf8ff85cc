/** Suomi: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'Lukijoiden kommentit',
  loading: 'Kommentteja ladataan…',
  empty: 'Ei vielä kommentteja.',
  failed: 'Kommentteja ei voitu ladata.',
  reference: 'Viite: {id}',
  tryAgain: 'Yritä uudelleen',
  showMore: 'Näytä lisää kommentteja',
  showWhole: 'Näytä koko kommentti',
  unlisted: 'Uusi kommenttisi',
};
