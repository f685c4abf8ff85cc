/** Français. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Commentaires',
  message: 'Votre commentaire',
  placeholder: 'Participez à la discussion',
  replyTo: 'Réponse à {name}',
  postReply: 'Publier la réponse',
  closed: 'Les commentaires de cet article sont fermés.',
  post: 'Publier le commentaire',
  signIn: 'Se connecter pour commenter',
  signInAndPost: 'Se connecter et publier',
  opensWindow: 'Ouvre une fenêtre',
  notLoaded: 'Impossible de publier pour le moment. Veuillez réessayer.',
};

export const later: FirstLanguage['later'] = () => import('./fr-later.ts');
