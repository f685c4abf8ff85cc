/** Autofill field name of a question (HTML; WCAG 2.2, 1.3.5). */

import type { FormField } from '@vestibule/shared';

/** Autofill field names that questions are often named after. */
const tokens: readonly string[] = [
  'name', 'given-name', 'family-name', 'nickname', 'organization', 'organization-title', 'street-address', 'postal-code',
  'country', 'country-name', 'language', 'bday', 'bday-year', 'sex', 'tel', 'url',
];

/** Value of `autocomplete`, `undefined` without a known name. */
export function autofillToken({ name, type }: FormField): string | undefined {
  if (type === 'email') return 'email';
  const token = name.replaceAll('_', '-').toLowerCase();
  return tokens.includes(token) ? token : undefined;
}
