/** The publisher's questions to a reader before the first comment. */

import type { VestibuleConfig } from '@vestibule/bff';

type Questions = NonNullable<NonNullable<VestibuleConfig['validation']>['fields']>;

const text = (en: string, de: string, fr: string, es: string) => ({ en, de, fr, es });

export const questions: Questions = [
  {
    name: 'age', type: 'number', required: true, min: 18, onFail: 'reject',
    label: text('Your age', 'Ihr Alter', 'Votre âge', 'Su edad'),
    help: text(
      'The comments are for adults.', 'Die Kommentare sind für Erwachsene.', 'Les commentaires sont réservés aux adultes.',
      'Los comentarios son para adultos.',
    ),
  },
  {
    name: 'neighbourhood', type: 'text', max_length: 60,
    label: text('Your neighbourhood', 'Ihr Viertel', 'Votre quartier', 'Su barrio'),
  },
  {
    name: 'reads', type: 'select',
    label: text('How do you read us?', 'Wie lesen Sie uns?', 'Comment nous lisez-vous ?', '¿Cómo nos lee?'),
    options: [
      { value: 'paper', label: text('On paper', 'Auf Papier', 'Sur papier', 'En papel') },
      { value: 'screen', label: text('On a screen', 'Am Bildschirm', 'Sur un écran', 'En una pantalla') },
      {
        value: 'shoulder',
        label: text('Over somebody’s shoulder', 'Über eine fremde Schulter', 'Par-dessus une épaule', 'Por encima de un hombro'),
      },
    ],
  },
  {
    name: 'rules', type: 'checkbox', required: true,
    label: text(
      'I accept the house rules', 'Ich nehme die Hausregeln an', 'J’accepte les règles de la maison', 'Acepto las normas de la casa',
    ),
  },
];
