/** 简体中文. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: '评论',
  message: '你的评论',
  placeholder: '参与讨论',
  replyTo: '回复 {name}',
  postReply: '发表回复',
  closed: '本文评论已关闭。',
  post: '发表评论',
  signIn: '登录以评论',
  signInAndPost: '登录并发表',
  opensWindow: '将打开一个窗口',
  notLoaded: '目前无法发表。请重试。',
};

export const later: FirstLanguage['later'] = () => import('./zh-later.ts');
