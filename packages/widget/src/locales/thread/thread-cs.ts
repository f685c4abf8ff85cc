/** Čeština: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'Komentáře čtenářů',
  loading: 'Komentáře se načítají…',
  empty: 'Zatím žádné komentáře.',
  failed: 'Komentáře se nepodařilo načíst.',
  reference: 'Referenční kód: {id}',
  tryAgain: 'Zkusit znovu',
  showMore: 'Zobrazit další komentáře',
  showWhole: 'Zobrazit celý komentář',
  unlisted: 'Váš nový komentář',
};
