/** Türkçe. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'Yorumlar',
  message: 'Yorumunuz',
  placeholder: 'Tartışmaya katılın',
  replyTo: '{name} kullanıcısına yanıt',
  postReply: 'Yanıtı gönder',
  closed: 'Bu yazı yorumlara kapalı.',
  post: 'Yorumu gönder',
  signIn: 'Yorum için oturum aç',
  signInAndPost: 'Oturum aç ve gönder',
  opensWindow: 'Bir pencere açar',
  notLoaded: 'Şu anda yayımlanamıyor. Lütfen yeniden deneyin.',
};

export const later: FirstLanguage['later'] = () => import('./tr-later.ts');
