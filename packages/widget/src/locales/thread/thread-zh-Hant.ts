/** 繁體中文: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: '讀者評論',
  loading: '正在載入評論…',
  empty: '還沒有評論。',
  failed: '無法載入評論。',
  reference: '參考編號：{id}',
  tryAgain: '重試',
  showMore: '顯示更多評論',
  showWhole: '顯示完整評論',
  unlisted: '你的新評論',
};
