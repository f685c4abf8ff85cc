/** Čeština. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Komentáře',
  message: 'Váš komentář',
  placeholder: 'Zapojte se do diskuse',
  replyTo: 'Odpověď uživateli {name}',
  postReply: 'Zveřejnit odpověď',
  closed: 'Komentáře k tomuto článku jsou uzavřeny.',
  post: 'Zveřejnit komentář',
  signIn: 'Přihlásit se a komentovat',
  signInAndPost: 'Přihlásit se a zveřejnit',
  opensWindow: 'Otevře okno',
  notLoaded: 'Zveřejnit komentář teď nejde. Zkuste to znovu.',
};

export const later: FirstLanguage['later'] = () => import('./cs-later.ts');
