/** 繁體中文. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: '評論',
  message: '你的評論',
  placeholder: '參與討論',
  replyTo: '回覆 {name}',
  postReply: '發表回覆',
  closed: '本文評論已關閉。',
  post: '發表評論',
  signIn: '登入以評論',
  signInAndPost: '登入並發表',
  opensWindow: '會開啟一個視窗',
  notLoaded: '目前無法發表。請重試。',
};

export const later: FirstLanguage['later'] = () => import('./zh-Hant-later.ts');
