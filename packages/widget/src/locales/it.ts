/** Italiano. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Commenti',
  message: 'Il tuo commento',
  placeholder: 'Partecipa alla discussione',
  replyTo: 'Risposta a {name}',
  postReply: 'Pubblica la risposta',
  closed: 'I commenti a questo articolo sono chiusi.',
  post: 'Pubblica il commento',
  signIn: 'Accedi per commentare',
  signInAndPost: 'Accedi e pubblica',
  opensWindow: 'Apre una finestra',
  notLoaded: 'Al momento non è possibile pubblicare. Riprova.',
};

export const later: FirstLanguage['later'] = () => import('./it-later.ts');
