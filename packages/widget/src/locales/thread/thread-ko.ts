/** 한국어: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: '독자 댓글',
  loading: '댓글을 불러오는 중…',
  empty: '아직 댓글이 없습니다.',
  failed: '댓글을 불러오지 못했습니다.',
  reference: '참조 번호: {id}',
  tryAgain: '다시 시도',
  showMore: '댓글 더 보기',
  showWhole: '댓글 전체 보기',
  unlisted: '내 새 댓글',
};
