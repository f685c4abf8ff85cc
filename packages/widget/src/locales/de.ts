/** Deutsch. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Kommentare',
  message: 'Ihr Kommentar',
  placeholder: 'Diskutieren Sie mit',
  replyTo: 'Antwort an {name}',
  postReply: 'Antwort absenden',
  closed: 'Die Kommentare zu diesem Artikel sind geschlossen.',
  post: 'Kommentar absenden',
  signIn: 'Anmelden und kommentieren',
  signInAndPost: 'Anmelden und absenden',
  opensWindow: 'Öffnet ein Fenster',
  notLoaded: 'Kommentieren ist gerade nicht möglich. Bitte versuchen Sie es erneut.',
};

export const later: FirstLanguage['later'] = () => import('./de-later.ts');
