/** What the newspaper asks before a reader may write. */

import type { VestibuleConfig } from '@vestibule/bff';

type Questions = NonNullable<NonNullable<VestibuleConfig['validation']>['fields']>;

export const questions: Questions = [
  {
    name: 'age',
    type: 'number',
    label: { en: 'Your age', de: 'Ihr Alter', fr: 'Votre âge', es: 'Su edad' },
    help: {
      en: 'The comments are for adults.',
      de: 'Die Kommentare sind für Erwachsene.',
      fr: 'Les commentaires sont réservés aux adultes.',
      es: 'Los comentarios son para adultos.',
    },
    required: true,
    min: 18,
    onFail: 'reject',
  },
  {
    name: 'neighbourhood',
    type: 'text',
    label: { en: 'Your neighbourhood', de: 'Ihr Viertel', fr: 'Votre quartier', es: 'Su barrio' },
    max_length: 60,
  },
  {
    name: 'reads',
    type: 'select',
    label: { en: 'How do you read us?', de: 'Wie lesen Sie uns?', fr: 'Comment nous lisez-vous ?', es: '¿Cómo nos lee?' },
    options: [
      { value: 'paper', label: { en: 'On paper', de: 'Auf Papier', fr: 'Sur papier', es: 'En papel' } },
      { value: 'screen', label: { en: 'On a screen', de: 'Am Bildschirm', fr: 'Sur un écran', es: 'En una pantalla' } },
      { value: 'shoulder', label: {
        en: 'Over somebody’s shoulder', de: 'Über eine fremde Schulter', fr: 'Par-dessus une épaule', es: 'Por encima de un hombro',
      } },
    ],
  },
  {
    name: 'rules',
    type: 'checkbox',
    label: {
      en: 'I accept the house rules',
      de: 'Ich nehme die Hausregeln an',
      fr: 'J’accepte les règles de la maison',
      es: 'Acepto las normas de la casa',
    },
    required: true,
  },
];
