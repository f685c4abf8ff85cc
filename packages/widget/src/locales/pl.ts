/** Polski. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Komentarze',
  message: 'Twój komentarz',
  placeholder: 'Dołącz do dyskusji',
  replyTo: 'Odpowiedź dla {name}',
  postReply: 'Opublikuj odpowiedź',
  closed: 'Komentarze do tego artykułu są zamknięte.',
  post: 'Opublikuj komentarz',
  signIn: 'Zaloguj się i skomentuj',
  signInAndPost: 'Zaloguj się i opublikuj',
  opensWindow: 'Otwiera okno',
  notLoaded: 'Publikowanie nie jest teraz możliwe. Spróbuj ponownie.',
};

export const later: FirstLanguage['later'] = () => import('./pl-later.ts');
