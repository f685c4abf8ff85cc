/** 한국어. */

import type { FirstLanguage } from './language.ts';

export const core: FirstLanguage['core'] = {
  heading: '댓글',
  message: '내 댓글',
  placeholder: '의견을 남겨 주세요',
  replyTo: '{name} 님에게 답글',
  postReply: '답글 등록',
  closed: '이 기사의 댓글 작성이 마감되었습니다.',
  post: '댓글 등록',
  signIn: '로그인하고 댓글 쓰기',
  signInAndPost: '로그인하고 등록',
  opensWindow: '창이 열립니다',
  notLoaded: '지금은 게시할 수 없습니다. 다시 시도해 주세요.',
};

export const later: FirstLanguage['later'] = () => import('./ko-later.ts');
