/** Polski: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'Komentarze czytelników',
  loading: 'Wczytywanie komentarzy…',
  empty: 'Nie ma jeszcze komentarzy.',
  failed: 'Nie udało się wczytać komentarzy.',
  reference: 'Numer referencyjny: {id}',
  tryAgain: 'Spróbuj ponownie',
  showMore: 'Pokaż więcej komentarzy',
  showWhole: 'Pokaż cały komentarz',
  unlisted: 'Twój nowy komentarz',
};
