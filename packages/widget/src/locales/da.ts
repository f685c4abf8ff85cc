/** Dansk. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Kommentarer',
  message: 'Din kommentar',
  placeholder: 'Deltag i debatten',
  replyTo: 'Svar til {name}',
  postReply: 'Send svar',
  closed: 'Der er lukket for kommentarer til denne artikel.',
  post: 'Send kommentar',
  signIn: 'Log ind for at kommentere',
  signInAndPost: 'Log ind og send',
  opensWindow: 'Åbner et vindue',
  notLoaded: 'Du kan ikke sende kommentarer lige nu. Prøv igen.',
};

export const later: FirstLanguage['later'] = () => import('./da-later.ts');
