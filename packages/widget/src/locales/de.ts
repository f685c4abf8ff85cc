/** Deutsch. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Kommentare',
  message: 'Ihr Kommentar',
  placeholder: 'Diskutieren Sie mit',
  replyTo: 'Antwort an {name}',
  postReply: 'Antwort posten',
  closed: 'Die Kommentare zu diesem Artikel sind geschlossen.',
  post: 'Kommentar posten',
  signIn: 'Zum Kommentieren anmelden',
  signInAndPost: 'Anmelden und posten',
  opensWindow: 'Öffnet ein Fenster',
  notLoaded: 'Posten ist gerade nicht möglich. Bitte versuchen Sie es noch einmal.',
};

export const later: FirstLanguage['later'] = () => import('./de-later.ts');
