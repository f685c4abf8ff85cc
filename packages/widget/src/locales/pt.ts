/** Português (Brasil). */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Comentários',
  message: 'Seu comentário',
  placeholder: 'Participe da conversa',
  replyTo: 'Resposta a {name}',
  postReply: 'Publicar resposta',
  closed: 'Os comentários deste artigo estão encerrados.',
  post: 'Publicar comentário',
  signIn: 'Entrar para comentar',
  signInAndPost: 'Entrar e publicar',
  opensWindow: 'Abre uma janela',
  notLoaded: 'Não é possível publicar agora. Tente de novo.',
};

export const later: FirstLanguage['later'] = () => import('./pt-later.ts');
