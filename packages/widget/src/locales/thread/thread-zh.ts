/** 简体中文: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: '读者评论',
  loading: '正在加载评论…',
  empty: '还没有评论。',
  failed: '无法加载评论。',
  reference: '参考编号：{id}',
  tryAgain: '重试',
  showMore: '显示更多评论',
  showWhole: '显示完整评论',
  unlisted: '你的新评论',
};
