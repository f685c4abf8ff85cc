/** Nederlands. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Reacties',
  message: 'Je reactie',
  placeholder: 'Praat mee',
  replyTo: 'Antwoord aan {name}',
  postReply: 'Antwoord plaatsen',
  closed: 'De reacties bij dit artikel zijn gesloten.',
  post: 'Reactie plaatsen',
  signIn: 'Inloggen om te reageren',
  signInAndPost: 'Inloggen en plaatsen',
  opensWindow: 'Opent een venster',
  notLoaded: 'Plaatsen lukt nu niet. Probeer het opnieuw.',
};

export const later: FirstLanguage['later'] = () => import('./nl-later.ts');
