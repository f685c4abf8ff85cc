/** Norsk bokmål. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Kommentarer',
  message: 'Kommentaren din',
  placeholder: 'Delta i diskusjonen',
  replyTo: 'Svar til {name}',
  postReply: 'Publiser svar',
  closed: 'Kommentarfeltet til denne artikkelen er stengt.',
  post: 'Publiser kommentar',
  signIn: 'Logg inn for å kommentere',
  signInAndPost: 'Logg inn og publiser',
  opensWindow: 'Åpner et vindu',
  notLoaded: 'Det er ikke mulig å publisere akkurat nå. Prøv igjen.',
};

export const later: FirstLanguage['later'] = () => import('./nb-later.ts');
