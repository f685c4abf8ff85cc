/** Deutsch: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'Kommentare der Leserinnen und Leser',
  loading: 'Kommentare werden geladen …',
  empty: 'Noch keine Kommentare.',
  failed: 'Die Kommentare konnten nicht geladen werden.',
  reference: 'Referenz: {id}',
  tryAgain: 'Noch einmal versuchen',
  showMore: 'Weitere Kommentare anzeigen',
  showWhole: 'Ganzen Kommentar anzeigen',
  unlisted: 'Ihr neuer Kommentar',
};
