/** Français: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'Commentaires des lecteurs',
  loading: 'Chargement des commentaires…',
  empty: 'Aucun commentaire pour le moment.',
  failed: 'Les commentaires n’ont pas pu être chargés.',
  reference: 'Référence : {id}',
  tryAgain: 'Réessayer',
  showMore: 'Afficher plus de commentaires',
  showWhole: 'Afficher tout le commentaire',
  unlisted: 'Votre nouveau commentaire',
};
