/** العربية. */

import type { FirstLanguage } from './language.ts';

export const direction = 'rtl';

export const core: FirstLanguage['core'] = {
  heading: 'التعليقات',
  message: 'تعليقك',
  placeholder: 'شارك في النقاش',
  replyTo: 'رد على {name}',
  postReply: 'نشر الرد',
  closed: 'التعليقات على هذا المقال مغلقة.',
  post: 'نشر التعليق',
  signIn: 'سجّل الدخول للتعليق',
  signInAndPost: 'تسجيل الدخول والنشر',
  opensWindow: 'يفتح نافذة',
  notLoaded: 'لا يمكن النشر الآن. حاول مرة أخرى.',
};

export const later: FirstLanguage['later'] = () => import('./ar-later.ts');
