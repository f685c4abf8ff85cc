/** Português (Portugal): the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'Comentários dos leitores',
  loading: 'A carregar comentários…',
  empty: 'Ainda não há comentários.',
  failed: 'Não foi possível carregar os comentários.',
  reference: 'Referência: {id}',
  tryAgain: 'Tentar novamente',
  showMore: 'Mostrar mais comentários',
  showWhole: 'Mostrar o comentário completo',
  unlisted: 'O seu novo comentário',
};
