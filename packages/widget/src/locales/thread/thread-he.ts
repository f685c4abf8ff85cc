/** עברית: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'תגובות הקוראים',
  loading: 'התגובות נטענות…',
  empty: 'אין תגובות עדיין.',
  failed: 'לא ניתן היה לטעון את התגובות.',
  reference: 'אסמכתה: {id}',
  tryAgain: 'ניסיון נוסף',
  showMore: 'הצגת תגובות נוספות',
  showWhole: 'הצגת התגובה המלאה',
  unlisted: 'התגובה החדשה שלך',
};
