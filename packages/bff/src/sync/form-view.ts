/** The publisher's questions in the language of a request. */

import type { Form, FormField } from '@vestibule/shared';
import type { Field, Localized } from '../config/fields.ts';

/** @param languages BCP 47 tags, best first. */
export function localizeForm(fields: readonly Field[], languages: readonly string[]): Form {
  return { fields: fields.map((field) => localizeField(field, languages)) };
}

export function localizeField(field: Field, languages: readonly string[]): FormField {
  const { onFail: _, label, help, options, min, max, min_length, max_length, pattern, ...rest } = field;
  return {
    ...rest,
    label: localize(label, languages),
    ...(help !== undefined && { help: localize(help, languages) }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(min_length !== undefined && { min_length }),
    ...(max_length !== undefined && { max_length }),
    ...(pattern !== undefined && { pattern }),
    ...(options !== undefined && {
      options: options.map((option) => (typeof option === 'string'
        ? { value: option, label: option }
        : { value: option.value, label: localize(option.label, languages) })),
    }),
  };
}

/** The first text whose tag is, or begins, a wanted language (RFC 4647 lookup); else English; else the first. */
function localize(text: Localized, languages: readonly string[]): string {
  if (typeof text === 'string') return text;
  const byTag = new Map(Object.entries(text).map(([tag, words]) => [tag.toLowerCase(), words]));
  for (const language of [...languages, 'en']) {
    for (let tag = language.toLowerCase(); tag !== ''; tag = tag.slice(0, Math.max(tag.lastIndexOf('-'), 0))) {
      const words = byTag.get(tag);
      if (words !== undefined) return words;
    }
  }
  return byTag.values().next().value ?? '';
}
