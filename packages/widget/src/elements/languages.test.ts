import { expect, fixture } from '@open-wc/testing';
import { html } from 'lit';
import { TestBff } from '../_bff.ts';
import '../define.ts';
import { languages } from '../locales/languages.ts';
import type { OwnStrings } from '../locales/own-strings.ts';
import { until } from '../_until.ts';
import { offer } from './sync/_sync-fixture.ts';

type Tag = 'vestibule-comments' | 'vestibule-sync';

interface OpenOptions {
  readonly bff?: TestBff;
  readonly strings?: OwnStrings;
}

async function open(name: Tag, lang: string, { bff = new TestBff(), strings }: OpenOptions = {}): Promise<Shown> {
  const element = document.createElement(name);
  Object.assign(element, { bff: bff.url, forum: 'news', lang, strings });
  (await fixture(html`<div>${element}</div>`)).scrollIntoView();
  element.dispatchEvent(new FocusEvent('focusin'));
  return new Shown(element);
}

class Shown {
  readonly element: HTMLElementTagNameMap[Tag];

  constructor(element: HTMLElementTagNameMap[Tag]) {
    this.element = element;
  }

  get section(): HTMLElement {
    return this.element.shadowRoot!.querySelector('section')!;
  }

  get text(): string {
    return this.section.innerText.replace(/\s+/g, ' ');
  }

  async says(words: string): Promise<void> {
    await until(() => this.text.includes(words), words);
  }

  /** Distance of a part from the edge where lines begin and from the other, in pixels. */
  edges(selector: string): { left: number; right: number } {
    const inner = this.section.querySelector(selector)!.getBoundingClientRect();
    const outer = this.section.getBoundingClientRect();
    return { left: inner.left - outer.left, right: outer.right - inner.right };
  }
}

const signedIn = { state: 'signed-in', user: { user_id: '42', username: 'Ada' } } as const;
const validating = {
  state: 'validating', sync: offer([{ name: 'age', type: 'number', label: 'Age', required: true }]),
} as const;

describe('the comment box', () => {
  it('is written from right to left in Arabic and Hebrew, on a page of either direction', async () => {
    for (const [lang, words] of [['ar', 'نشر التعليق'], ['he-IL', 'פרסום התגובה']] as const) {
      const bff = new TestBff();
      await bff.setSession(signedIn);
      const box = await open('vestibule-comments', lang, { bff });
      await box.says('Ada');
      await box.says(words);
      expect([box.section.dir, box.section.lang]).to.deep.equal(['rtl', lang.slice(0, 2)]);
      expect(getComputedStyle(box.section).direction).to.equal('rtl');
      const { left, right } = box.edges('.primary');
      expect(right, lang).to.be.lessThan(left);
      expect(box.element.scrollWidth).to.be.at.most(box.element.clientWidth);
    }
  });

  it('is written from left to right in English on a page that is not', async () => {
    document.documentElement.dir = 'rtl';
    try {
      const box = await open('vestibule-comments', 'en');
      await box.says('Comments');
      expect(getComputedStyle(box.section).direction).to.equal('ltr');
    } finally {
      document.documentElement.removeAttribute('dir');
    }
  });

  it('changes its language and keeps the text', async () => {
    const box = await open('vestibule-comments', 'en');
    await box.says('Comments');
    const field = box.element.shadowRoot!.querySelector('textarea')!;
    field.value = 'kept';
    for (const [lang, words, dir] of [['de', 'Anmelden, um zu kommentieren', 'ltr'], ['ar', 'تعليقك', 'rtl'], ['en', 'Your comment', 'ltr']] as const) {
      box.element.lang = lang;
      await box.says(words);
      expect([box.section.dir, field.value]).to.deep.equal([dir, 'kept']);
    }
    field.value = '';
  });

  it('counts in the plural forms and digits of the language', async () => {
    const bff = new TestBff();
    await bff.setSession({ ...signedIn, limits: { message_max_length: 5 } });
    const box = await open('vestibule-comments', 'pl', { bff });
    await box.says('Ada');
    const field = box.element.shadowRoot!.querySelector('textarea')!;
    for (const [text, words] of [['abcde', 'Pozostało 0 znaków'], ['abcdef', 'O 1 znak za dużo'], ['abcdefgh', 'O 3 znaki za dużo'], ['abcdefghij', 'O 5 znaków za dużo']] as const) {
      field.value = text;
      field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
      await box.says(words);
    }
    field.value = '';
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  });

  it("says the page's own words in every language, and hands them to the form in it", async () => {
    const bff = new TestBff();
    await bff.setSession(validating);
    const strings = { core: { heading: 'Letters to the editor' }, comments: { signIn: { cancel: 'Stop' } }, sync: { questions: { heading: 'A word first' } } };
    const box = await open('vestibule-comments', 'fr', { bff, strings });
    await box.says('Letters to the editor');
    await box.says('Votre commentaire');
    await box.says('Stop');
    box.element.setAttribute('sync', 'inline');
    await box.element.updateComplete;
    box.element.shadowRoot!.querySelector<HTMLElement>('.panel .primary')!.click();
    await until(() => box.element.shadowRoot!.querySelector('vestibule-sync')?.shadowRoot?.textContent.includes('A word first'), 'the form');
  });
});

describe('the validation form', () => {
  it('is written from right to left in Arabic and Hebrew', async () => {
    for (const [lang, words] of [['ar', 'قبل أن تعلّق'], ['he', 'לפני שמגיבים']] as const) {
      const bff = new TestBff();
      await bff.setSession(validating);
      const form = await open('vestibule-sync', lang, { bff });
      await form.says(words);
      expect([form.section.dir, form.section.lang, getComputedStyle(form.section).direction]).to.deep.equal(['rtl', lang, 'rtl']);
    }
  });

  it("keeps the direction of a publisher's words within those of another", async () => {
    const bff = new TestBff();
    const label = 'How do you read us?';
    await bff.setSession({ ...validating, sync: offer([{ name: 'how', type: 'text', label, help: 'On paper?', required: false }]) });
    const form = await open('vestibule-sync', 'ar', { bff });
    await form.says(label);
    const words = [...form.section.querySelectorAll('bdi')].filter(({ textContent }) => [label, 'On paper?'].includes(textContent));
    expect(words.map((element) => getComputedStyle(element).unicodeBidi)).to.deep.equal(['isolate', 'isolate']);
  });

  it("says the page's own words", async () => {
    const bff = new TestBff();
    await bff.setSession(validating);
    const form = await open('vestibule-sync', 'de', { bff, strings: { sync: { questions: { submit: 'Los' } } } });
    await form.says('Bevor Sie kommentieren');
    await form.says('Los');
  });

  it('has each of its languages', async () => {
    const bff = new TestBff();
    await bff.setSession(validating);
    const form = await open('vestibule-sync', 'en', { bff });
    for (const [lang, load] of Object.entries(languages)) {
      form.element.lang = lang;
      await form.says((await load()).sync.questions.heading);
      await form.says('Ada');
    }
  });
});
