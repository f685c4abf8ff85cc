/** العربية: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'تعليقات القرّاء',
  loading: 'جارٍ تحميل التعليقات…',
  empty: 'لا توجد تعليقات بعد.',
  failed: 'تعذّر تحميل التعليقات.',
  reference: 'المرجع: {id}',
  tryAgain: 'إعادة المحاولة',
  showMore: 'عرض مزيد من التعليقات',
  showWhole: 'عرض التعليق كاملًا',
  unlisted: 'تعليقك الجديد',
};
