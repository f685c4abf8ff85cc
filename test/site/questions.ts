/** The publisher's questions to a reader before the first comment, and its words at an article that is closed. */

import type { VestibuleConfig } from '@vestibule/bff';

type Questions = NonNullable<NonNullable<VestibuleConfig['validation']>['fields']>;

const text = (en: string, de: string, ar: string) => ({ en, de, ar });

export const questions: Questions = [
  {
    name: 'age', type: 'number', required: true, min: 18, onFail: 'reject',
    label: text('Your age', 'Ihr Alter', 'عمرك'),
    reason: text('You must be 18 or older to comment here.', 'Sie müssen 18 sein, um hier zu kommentieren.', 'يجب أن يكون عمرك 18 عامًا على الأقل للتعليق هنا.'),
    help: text('The comments are for adults.', 'Die Kommentare sind für Erwachsene.', 'التعليقات للبالغين.'),
  },
  {
    name: 'neighbourhood', type: 'text', max_length: 60,
    label: text('Your neighbourhood', 'Ihr Viertel', 'الحي الذي تسكنه'),
  },
  {
    name: 'reads', type: 'select',
    label: text('How do you read us?', 'Wie lesen Sie uns?', 'كيف تقرأ صحيفتنا؟'),
    options: [
      { value: 'paper', label: text('On paper', 'Auf Papier', 'على الورق') },
      { value: 'screen', label: text('On a screen', 'Am Bildschirm', 'على الشاشة') },
      { value: 'shoulder', label: text('Over somebody’s shoulder', 'Über eine fremde Schulter', 'من فوق كتف غيري') },
    ],
  },
  {
    name: 'rules', type: 'checkbox', required: true,
    label: text('I accept the house rules', 'Ich nehme die Hausregeln an', 'أقبل قواعد الموقع'),
  },
];

export const closedReason = text(
  'Comments on this article are closed.', 'Die Kommentare zu diesem Artikel sind geschlossen.', 'التعليقات على هذا المقال مغلقة.',
);
