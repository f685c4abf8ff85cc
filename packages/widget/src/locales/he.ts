/** עברית. */

import type { FirstLanguage } from './language.ts';

export const direction = 'rtl';

export const core: FirstLanguage['core'] = {
  heading: 'תגובות',
  message: 'התגובה שלך',
  placeholder: 'כאן מצטרפים לדיון',
  replyTo: 'תשובה ל־{name}',
  postReply: 'פרסום התשובה',
  closed: 'התגובות לכתבה הזאת סגורות.',
  post: 'פרסום התגובה',
  signIn: 'להתחבר כדי להגיב',
  signInAndPost: 'להתחבר ולפרסם',
  opensWindow: 'נפתח חלון',
  notLoaded: 'אי אפשר לפרסם כרגע. יש לנסות שוב.',
};

export const later: FirstLanguage['later'] = () => import('./he-later.ts');
