import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { coreStrings } from '../src/locales/en.ts';
import { commentsStrings } from '../src/locales/en-comments.ts';
import { fallbackStrings } from '../src/locales/en-fallback.ts';
import { problemStrings } from '../src/locales/en-problems.ts';
import { syncStrings } from '../src/locales/en-sync.ts';
import { threadStrings } from '../src/locales/en-thread.ts';
import type { Plural } from '../src/locales/language.ts';
import { languages } from '../src/locales/languages.ts';
import { loadThreadStrings } from '../src/locales/thread/thread-languages.ts';

const english = {
  core: coreStrings, comments: commentsStrings, problems: problemStrings, fallback: fallbackStrings, sync: syncStrings,
  thread: threadStrings,
};
const translations = await Promise.all(Object.entries(languages).map(async ([tag, load]) => (
  { tag, language: { ...await load(), thread: await loadThreadStrings(tag) ?? {} } }
)));

/** Every phrase by its path: a text, or a text by plural category. */
function phrases(strings: object, path = ''): Map<string, string | Plural> {
  return new Map(Object.entries(strings).flatMap(([key, value]: [string, string | Plural | object]) => (
    typeof value === 'string' || isPlural(value) ? [[`${path}${key}`, value] as const] : [...phrases(value, `${path}${key}.`)]
  )));
}

function isPlural(value: object): value is Plural {
  return 'other' in value && typeof value.other === 'string';
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).toSorted();
}

/** Of the numbers that appear: characters, seconds and answers. (`many` of the Romance languages begins at a million.) */
function reachableCategories(tag: string): readonly string[] {
  const rules = new Intl.PluralRules(tag);
  const found = new Set(Array.from({ length: 1001 }, (_, number) => rules.select(number)));
  return rules.resolvedOptions().pluralCategories.filter((category) => found.has(category) || category === 'other').toSorted();
}

/** The whole numbers up to 200 that a category stands for. */
function numbersOf(tag: string, category: string, from: number): number[] {
  const rules = new Intl.PluralRules(tag);
  return Array.from({ length: 201 - from }, (_, index) => index + from).filter((number) => rules.select(number) === category);
}

describe('languages', () => {
  it('are at least sixteen beside English, two of them right to left', () => {
    assert.ok(translations.length >= 16);
    const toTheLeft = translations.filter(({ language }) => language.direction === 'rtl').map(({ tag }) => tag);
    assert.deepEqual(toTheLeft, ['ar', 'he']);
  });

  for (const { tag, language } of translations) {
    describe(tag, () => {
      const { direction: _, ...strings } = language;
      const own = phrases(strings);
      const reference = phrases(english);

      it('has every phrase of English and no other, and none is empty', () => {
        assert.deepEqual([...own.keys()].toSorted(), [...reference.keys()].toSorted());
        const texts = [...own.values()].flatMap((phrase) => (typeof phrase === 'string' ? phrase : Object.values(phrase)));
        assert.deepEqual(texts.filter((text) => text.trim() !== text || text === ''), []);
      });

      it('has each phrase in the plural forms that its numbers can take, where English has two', () => {
        const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
        const reachable = reachableCategories(tag);
        for (const [path, phrase] of reference) {
          const forms = own.get(path)!;
          assert.equal(typeof forms, typeof phrase, path);
          if (typeof forms === 'string') continue;
          assert.deepEqual(reachable.filter((category) => !(category in forms)), [], `${path} lacks a form`);
          assert.deepEqual(Object.keys(forms).filter((category) => !categories.includes(category as Intl.LDMLPluralRule)), [], `${path} has a form too many`);
        }
      });

      it('has the placeholders of English; a form for one number may spell it out', () => {
        for (const [path, phrase] of reference) {
          const forms = own.get(path)!;
          if (typeof phrase === 'string' || typeof forms === 'string') {
            assert.deepEqual(placeholders(forms as string), placeholders(phrase as string), path);
            continue;
          }
          // The summary of faults is never shown without any.
          const from = placeholders(phrase.one!).includes('count') ? 0 : 1;
          for (const [category, text] of Object.entries(forms)) {
            const mayNameIt = numbersOf(tag, category, from).length <= 1 && category !== 'other' && category !== 'many';
            if (mayNameIt && !text.includes('{')) continue;
            assert.deepEqual(placeholders(text), placeholders(phrase.other), `${path}.${category}`);
          }
        }
      });

      it('is translated', () => {
        const same = [...own].filter(([path, phrase]) => JSON.stringify(phrase) === JSON.stringify(reference.get(path)));
        assert.deepEqual(same.map(([path]) => path), []);
      });
    });
  }
});
