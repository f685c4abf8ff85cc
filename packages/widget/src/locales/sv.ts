/** Svenska. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Kommentarer',
  message: 'Din kommentar',
  placeholder: 'Delta i diskussionen',
  replyTo: 'Svar till {name}',
  postReply: 'Publicera svar',
  closed: 'Kommentarsfältet för den här artikeln är stängt.',
  post: 'Publicera kommentar',
  signIn: 'Logga in och kommentera',
  signInAndPost: 'Logga in och publicera',
  opensWindow: 'Öppnar ett fönster',
  notLoaded: 'Det går inte att publicera just nu. Försök igen.',
};

export const later: FirstLanguage['later'] = () => import('./sv-later.ts');
