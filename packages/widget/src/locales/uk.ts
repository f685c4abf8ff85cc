/** Українська. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Коментарі',
  message: 'Ваш коментар',
  placeholder: 'Долучайтеся до обговорення',
  replyTo: 'Відповідь для {name}',
  postReply: 'Опублікувати відповідь',
  closed: 'Коментарі до цієї статті закрито.',
  post: 'Опублікувати коментар',
  signIn: 'Увійти, щоб коментувати',
  signInAndPost: 'Увійти й опублікувати',
  opensWindow: 'Відкриває вікно',
  notLoaded: 'Зараз опублікувати не можна. Спробуйте ще раз.',
};

export const later: FirstLanguage['later'] = () => import('./uk-later.ts');
