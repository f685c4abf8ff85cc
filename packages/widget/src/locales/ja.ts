/** 日本語. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: 'コメント',
  message: 'コメントを書く',
  placeholder: 'ご意見をお書きください',
  replyTo: '{name} さんへの返信',
  postReply: '返信を投稿',
  closed: 'この記事のコメントは締め切りました。',
  post: 'コメントを投稿',
  signIn: 'ログインしてコメント',
  signInAndPost: 'ログインして投稿',
  opensWindow: 'ウィンドウが開きます',
  notLoaded: '現在は投稿できません。もう一度お試しください。',
};

export const later: FirstLanguage['later'] = () => import('./ja-later.ts');
