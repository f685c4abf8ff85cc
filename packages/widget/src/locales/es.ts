/** Español. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Comentarios',
  message: 'Tu comentario',
  placeholder: 'Participa en la conversación',
  replyTo: 'Respuesta a {name}',
  postReply: 'Publicar respuesta',
  closed: 'Los comentarios de este artículo están cerrados.',
  post: 'Publicar comentario',
  signIn: 'Acceder para comentar',
  signInAndPost: 'Acceder y publicar',
  opensWindow: 'Abre una ventana',
  notLoaded: 'No se puede publicar en este momento. Vuelve a intentarlo.',
};

export const later: FirstLanguage['later'] = () => import('./es-later.ts');
