/** 日本語: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: '読者のコメント',
  loading: 'コメントを読み込んでいます…',
  empty: 'コメントはまだありません。',
  failed: 'コメントを読み込めませんでした。',
  reference: '参照番号：{id}',
  tryAgain: 'もう一度試す',
  showMore: 'コメントをもっと見る',
  showWhole: 'コメント全文を表示',
  unlisted: 'あなたの新しいコメント',
};
