/** Português (Portugal). */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Comentários',
  message: 'O seu comentário',
  placeholder: 'Participe na conversa',
  replyTo: 'Resposta a {name}',
  postReply: 'Publicar resposta',
  closed: 'Os comentários a este artigo estão encerrados.',
  post: 'Publicar comentário',
  signIn: 'Entrar para comentar',
  signInAndPost: 'Entrar e publicar',
  opensWindow: 'Abre uma janela',
  notLoaded: 'De momento não é possível publicar. Tente novamente.',
};

export const later: FirstLanguage['later'] = () => import('./pt-PT-later.ts');
