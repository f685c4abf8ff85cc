import { expect } from '@open-wc/testing';
import { phrases as counts } from '../count/phrases.ts';
import { coreStrings } from './en.ts';
import { actionStrings } from './en-actions.ts';
import { commentsStrings } from './en-comments.ts';
import { entryStrings } from './en-entries.ts';
import { problemStrings } from './en-problems.ts';
import { syncStrings } from './en-sync.ts';
import { threadStrings } from './en-thread.ts';
import type { Plural } from './language.ts';
import { languages } from './languages.ts';

const english = {
  core: coreStrings, comments: commentsStrings, entries: entryStrings, problems: problemStrings, sync: syncStrings,
  thread: threadStrings, actions: actionStrings, count: counts['en'],
};

/** Every phrase by its path: a text, or a text by plural category. */
function phrases(strings: object, path = ''): Map<string, string | Plural> {
  return new Map(Object.entries(strings).flatMap(([key, value]: [string, string | Plural | object]) => (
    typeof value === 'string' || isPlural(value) ? [[`${path}${key}`, value] as const] : [...phrases(value, `${path}${key}.`)]
  )));
}

function isPlural(value: object): value is Plural {
  return 'other' in value && typeof value.other === 'string';
}

const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).toSorted();

/** Plural categories of the numbers that appear. `many` of the Romance languages begins at a million. */
function categories(tag: string): string[] {
  const rules = new Intl.PluralRules(tag);
  return [...new Set(['other', ...Array.from({ length: 1001 }, (_, number) => rules.select(number))])];
}

/** Whether the category stands for at most one of the numbers up to 200: such a form may spell the number out. */
function isOneNumber(tag: string, category: string, from: number): boolean {
  const rules = new Intl.PluralRules(tag);
  const numbers = Array.from({ length: 201 - from }, (_, index) => index + from);
  return numbers.filter((number) => rules.select(number) === category).length <= 1;
}

describe('a translation', () => {
  const reference = phrases(english);

  for (const [tag, load] of Object.entries(languages)) {
    it(`has every phrase of English with its placeholders and the plural forms of its language: ${tag}`, async () => {
      const { direction, ...strings } = await load();
      const own = phrases({ ...strings, count: counts[tag] });
      expect(direction).to.equal(['ar', 'he'].includes(tag) ? 'rtl' : undefined);
      expect([...own.keys()]).to.have.members([...reference.keys()]);
      for (const [path, phrase] of reference) {
        const forms = own.get(path)!;
        expect(forms, path).to.not.deep.equal(phrase);
        const texts = typeof forms === 'string' ? { other: forms } : forms;
        const from = typeof phrase === 'object' && placeholders(phrase.one!).includes('count') ? 0 : 1;
        if (typeof phrase === 'object') expect(Object.keys(texts), path).to.include.members(categories(tag));
        for (const [category, text] of Object.entries(texts)) {
          expect(text, path).to.match(/^\S(?:.*\S)?$/s);
          const isSpeltOut = typeof phrase === 'object' && category !== 'other' && category !== 'many' && isOneNumber(tag, category, from);
          if (isSpeltOut && !text.includes('{')) continue;
          expect(placeholders(text), `${path}.${category}`).to.deep.equal(placeholders(typeof phrase === 'string' ? phrase : phrase.other));
        }
      }
    });
  }
});
