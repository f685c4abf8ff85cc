/** Languages of the elements: which one they take, its direction, its plural forms, and phrases of the page's own. */

import { expect } from '@open-wc/testing';
import { TestBff } from '../_bff.ts';
import { devtools, openBox, openTab, replace, type Box } from '../box/_box.ts';
import { openForm, validating } from '../form/_sync-fixture.ts';
import { parseStrings, withOwn } from './own-strings.ts';

const heading = (box: Box): string => box.part('heading')!.textContent.trim();

async function isHeaded(box: Box, words: string): Promise<void> {
  await box.until(() => heading(box) === words, `the heading “${words}”`);
}

/** A box below an element with the attribute `lang`, in a browser with these languages. */
async function openIn(lang: string, ...browser: string[]): Promise<Box> {
  replace(navigator, { languages: browser.length > 0 ? browser : ['en'] });
  const box = await openBox({ untouched: true });
  box.element.parentElement!.lang = lang;
  return box;
}

describe('the language of an element', () => {
  const table: readonly (readonly [lang: string, heading: string, browser?: readonly string[]])[] = [
    ['de-AT', 'Kommentare'], ['FR-ca', 'Commentaires'], ['no', 'Kommentarer'], ['nb-NO', 'Kommentarer'], ['iw', 'תגובות'], ['pt-BR', 'Comentários'],
    ['zh-Hans-SG', '评论'], ['zh-Hans-TW', '评论'], ['zh-CN', '评论'], ['zh-TW', '評論'], ['zh-HK', '評論'], ['zh-Hant-TW', '評論'],
    ['eo', 'Kommentare', ['tlh', 'de-CH', 'ar']], ['', 'Kommentare', ['de']], ['en-GB', 'Comments', ['de']],
    ['eo', 'Comments'], ['-', 'Comments'], ['constructor', 'Comments'],
    ['nn-NO', 'Kommentarer'], ['nn', 'Kommentarer'], ['de_DE', 'Kommentare'], ['zh_Hant_TW', '評論'],
  ];
  for (const [lang, words, browser = []] of table) {
    it(`is that of the page, else of the browser, else English: ${JSON.stringify(lang)}, ${browser.join()}`, async () => {
      const box = await openIn(lang, ...browser);
      const card = box.part('box')!;
      await box.until(() => card.dir, 'the language');
      await isHeaded(box, words);
      expect(card.dir).to.equal(lang === 'iw' ? 'rtl' : 'ltr');
    });
  }

  for (const [label, ...tags] of [['Seu comentário', 'pt', 'pt-BR'], ['O seu comentário', 'pt-PT', 'pt-AO', 'pt-MZ', 'pt-CV']] as const) {
    for (const tag of tags) {
      it(`is Portuguese as written where it is read: ${tag}`, async () => {
        const box = await openIn(tag);
        await box.until(() => box.part('label')!.textContent.trim() === label, label);
      });
    }
  }

  it('is the nearest across shadow roots, and follows changes in outer ones', async () => {
    const page = await openIn('fr');
    const outer = page.element.parentElement!.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
    const inner = outer.appendChild(document.createElement('div'));
    inner.lang = 'de_DE';
    const box = await openBox({ place: inner.attachShadow({ mode: 'open' }), untouched: true });
    await isHeaded(box, 'Kommentare');
    inner.lang = 'uk';
    await isHeaded(box, 'Коментарі');
    inner.removeAttribute('lang');
    await isHeaded(box, 'Commentaires');
    page.element.parentElement!.lang = 'tr';
    await isHeaded(box, 'Yorumlar');
  });

  it('stays what it was while another one does not load, which comes once the browser is online', async () => {
    const tab = await openTab();
    await devtools('Network.enable');
    await devtools('Network.setBlockedURLs', { urls: ['*/locales/fi.ts'] });
    const box = await openBox({ tab, untouched: true, attributes: { lang: 'de' } });
    await isHeaded(box, 'Kommentare');
    box.element.lang = 'fi';
    await box.until(() => box.details('error').length > 0, 'the event').finally(() => devtools('Network.setBlockedURLs', { urls: [] }));
    await isHeaded(box, 'Kommentare');
    tab.view.dispatchEvent(new Event('online'));
    await isHeaded(box, 'Kommentit');
    expect(box.details('error')).to.have.length(1);
  });

  it('follows changes, the last one whichever loads first, and keeps the text', async () => {
    const box = await openIn('de');
    box.write('kept');
    await isHeaded(box, 'Kommentare');
    box.element.parentElement!.lang = 'uk';
    await isHeaded(box, 'Коментарі');
    box.element.lang = 'tr';
    await box.element.updateComplete;
    box.element.lang = 'fi';
    await isHeaded(box, 'Kommentit');
    expect(box.field.value).to.equal('kept');
  });

  it('is that of the place to which the element comes back', async () => {
    const box = await openIn('de');
    await isHeaded(box, 'Kommentare');
    const place = box.element.parentElement!;
    box.element.remove();
    place.lang = 'uk';
    place.append(box.element);
    await isHeaded(box, 'Коментарі');
  });
});

async function openSignedInAs(lang: string, limit = 10_000): Promise<Box> {
  const bff = new TestBff();
  await bff.setSession({ state: 'signed-in', user: { user_id: '42', username: 'Ada' }, limits: { message_max_length: limit } });
  const box = await openBox({ bff, attributes: { lang } });
  await box.says('Ada');
  return box;
}

describe('the direction of an element', () => {
  for (const [lang, words, heading] of [['ar', 'نشر التعليق', 'قبل أن تعلّق'], ['he-IL', 'פרסום התגובה', 'לפני שמגיבים']] as const) {
    it(`is from right to left in box and form, and of no text of the publisher: ${lang}`, async () => {
      const box = await openSignedInAs(lang);
      await box.says(words);
      box.element.focus();
      await box.until(() => box.primary, 'the main button');
      const [card, button] = [box.part('box')!, box.primary!].map((element) => element.getBoundingClientRect());
      expect(button!.left - card!.left).to.be.lessThan(card!.right - button!.right);
      expect(box.element.scrollWidth).to.be.at.most(box.element.clientWidth);
      const label = 'How do you read us?';
      const form = await openForm({ session: validating({ name: 'how', type: 'text', label, help: 'On paper?', required: false }), attributes: { lang } });
      await form.reaches(heading);
      expect([box.part('box')!, form.part('card')!].map((element) => getComputedStyle(element).direction)).to.deep.equal(['rtl', 'rtl']);
      const own = form.all('bdi').filter(({ textContent }) => [label, 'On paper?'].includes(textContent));
      expect(own.map((element) => getComputedStyle(element).direction)).to.deep.equal(['ltr', 'ltr']);
    });
  }

  it('is from left to right in English on a page that is not', async () => {
    document.documentElement.setAttribute('dir', 'rtl');
    const box = await openIn('en');
    await box.until(() => getComputedStyle(box.part('box')!).direction === 'ltr', 'the direction').finally(() => document.documentElement.removeAttribute('dir'));
  });
});

describe('the phrases of an element', () => {
  it('have the plural forms and digits of the language', async () => {
    const box = await openSignedInAs('pl', 5);
    for (const [text, words] of [['abcde', 'Pozostało 0 znaków'], ['abcdef', 'O 1 znak za dużo'], ['abcdefgh', 'O 3 znaki za dużo'], ['abcdefghij', 'O 5 znaków za dużo']] as const) {
      box.write(text);
      await box.says(words);
    }
    const long = await openSignedInAs('en');
    long.write('x'.repeat(12_000));
    await long.says('2,000');
  });

  it('are the page’s own first, in every language, also in the form in the box; plural forms are replaced as a whole', async () => {
    const bff = new TestBff();
    const fields = (['age', 'year'] as const).map((name) => ({ name, type: 'number' as const, label: name, required: true }));
    await bff.offer({ fields });
    const strings = {
      core: { heading: 'Letters to the editor' },
      sync: { questions: { heading: 'A word first', unknown: 'x' }, answerErrors: { summary: { other: '{count} to go' } } },
    };
    const box = await openBox({ bff, attributes: { lang: 'fr', sync: 'inline' } });
    Object.assign(box.element, { strings });
    await box.says('Letters to the editor');
    await box.says('A word first');
    await box.press('Continuer en tant que Ada');
    await box.says('2 to go');
    expect(box.words).to.contain('Votre commentaire');
  });

  it('take of the page’s own those of their kind', () => {
    const strings = { core: { heading: 'Comments' }, left: { one: '{count} letter', other: '{count} letters' } };
    for (const wrong of [{ core: 'x' }, { core: { heading: { a: 'x' } } }, { left: 'x' }, { left: { one: 'x' } }, { core: null }, [], 'x']) {
      expect(withOwn(strings, wrong as object), JSON.stringify(wrong)).to.deep.equal(strings);
    }
    expect(withOwn(strings, { left: { other: 'x' } }).left).to.deep.equal({ other: 'x' });
  });

  it('are also an attribute; one that is not JSON is named in the console', () => {
    const errors: string[] = [];
    replace(console, { error: (text: string) => void errors.push(text) });
    expect(parseStrings('{"core":{"heading":"Letters"}}')).to.deep.equal({ core: { heading: 'Letters' } });
    expect([null, '', '{'].map(parseStrings)).to.deep.equal([undefined, undefined, undefined]);
    expect(errors).to.deep.equal(['Vestibule: the attribute `strings` is not JSON.']);
  });
});
