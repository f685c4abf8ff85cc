/** Türkçe: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'Okur yorumları',
  loading: 'Yorumlar yükleniyor…',
  empty: 'Henüz yorum yok.',
  failed: 'Yorumlar yüklenemedi.',
  reference: 'Referans: {id}',
  tryAgain: 'Yeniden dene',
  showMore: 'Daha fazla yorum göster',
  showWhole: 'Yorumun tamamını göster',
  unlisted: 'Yeni yorumunuz',
};
