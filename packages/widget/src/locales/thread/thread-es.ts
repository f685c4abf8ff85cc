/** Español: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'Comentarios de los lectores',
  loading: 'Cargando comentarios…',
  empty: 'Todavía no hay comentarios.',
  failed: 'No se han podido cargar los comentarios.',
  reference: 'Referencia: {id}',
  tryAgain: 'Reintentar',
  showMore: 'Mostrar más comentarios',
  showWhole: 'Mostrar el comentario completo',
  unlisted: 'Tu nuevo comentario',
};
