/** Português (Brasil): the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'Comentários dos leitores',
  loading: 'Carregando comentários…',
  empty: 'Ainda não há comentários.',
  failed: 'Não foi possível carregar os comentários.',
  reference: 'Referência: {id}',
  tryAgain: 'Tentar de novo',
  showMore: 'Mostrar mais comentários',
  showWhole: 'Mostrar o comentário inteiro',
  unlisted: 'Seu novo comentário',
};
