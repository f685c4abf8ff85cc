/** Українська: the thread. */

import type { ThreadStrings } from '../en-thread.ts';

export const thread: ThreadStrings = {
  heading: 'Коментарі читачів',
  loading: 'Коментарі завантажуються…',
  empty: 'Коментарів ще немає.',
  failed: 'Не вдалося завантажити коментарі.',
  reference: 'Код звернення: {id}',
  tryAgain: 'Спробувати ще раз',
  showMore: 'Показати більше коментарів',
  showWhole: 'Показати весь коментар',
  unlisted: 'Ваш новий коментар',
};
