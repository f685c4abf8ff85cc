/** Suomi. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Kommentit',
  message: 'Kommenttisi',
  placeholder: 'Osallistu keskusteluun',
  replyTo: 'Vastaus käyttäjälle {name}',
  postReply: 'Julkaise vastaus',
  closed: 'Tämän artikkelin kommentointi on suljettu.',
  post: 'Julkaise kommentti',
  signIn: 'Kirjaudu kommentoimaan',
  signInAndPost: 'Kirjaudu ja julkaise',
  opensWindow: 'Avaa ikkunan',
  notLoaded: 'Julkaiseminen ei onnistu juuri nyt. Yritä uudelleen.',
};

export const later: FirstLanguage['later'] = () => import('./fi-later.ts');
