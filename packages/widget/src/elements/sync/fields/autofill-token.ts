/** Which of the reader's own data a question asks for (WCAG 2.2, 1.3.5; HTML, autofill field names). */

import type { FormField } from '@vestibule/shared';

/** Autofill field names that a publisher's own name for a question can be. */
const tokens: readonly string[] = [
  'name', 'given-name', 'family-name', 'nickname', 'organization', 'organization-title', 'street-address', 'postal-code',
  'country', 'country-name', 'language', 'bday', 'bday-year', 'sex', 'tel', 'url',
];

/** Value of `autocomplete`, `undefined` where the question names none of them. */
export function autofillToken({ name, type }: FormField): string | undefined {
  if (type === 'email') return 'email';
  const token = name.replaceAll('_', '-').toLowerCase();
  return tokens.includes(token) ? token : undefined;
}
