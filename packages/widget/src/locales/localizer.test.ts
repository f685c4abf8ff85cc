import { expect, fixture } from '@open-wc/testing';
import { html, LitElement } from 'lit';
import { until } from '../_until.ts';
import { coreStrings } from './en.ts';
import type { Language } from './language.ts';
import { languages } from './languages.ts';
import { registerLanguage } from './register-language.ts';
import { Localizer } from './localizer.ts';

class LocalElement extends LitElement {
  readonly localizer = new Localizer(this);

  protected override render() {
    return html`${this.localizer.strings('core', coreStrings).heading}`;
  }
}
customElements.define('local-element', LocalElement);

const known = languages as Record<string, () => Promise<Language>>;

function setBrowserLanguages(...tags: string[]): void {
  Object.defineProperty(navigator, 'languages', { configurable: true, get: () => tags });
}

async function show(lang: string): Promise<LocalElement> {
  const page = await fixture(html`<div lang=${lang}><local-element></local-element></div>`);
  return page.querySelector<LocalElement>('local-element')!;
}

/** Resolves once the element says `words`. */
async function says({ renderRoot }: LocalElement, words: string): Promise<void> {
  await until(() => renderRoot.textContent === words, `“${words}”`);
}

describe('Localizer', () => {
  beforeEach(() => {
    known['xx'] = () => Promise.reject(new TypeError('offline'));
    setBrowserLanguages('en');
  });

  afterEach(() => {
    delete known['xx'];
    delete (navigator as { languages?: unknown }).languages;
  });

  it('uses the nearest `lang` of the page, in any region', async () => {
    for (const [lang, words, tag] of [['de-AT', 'Kommentare', 'de'], ['pt-BR', 'Comentários', 'pt'], ['pt-AO', 'Comentários', 'pt'], ['no', 'Kommentarer', 'no']] as const) {
      const element = await show(lang);
      await says(element, words);
      expect([element.localizer.tag, element.localizer.direction], lang).to.deep.equal([tag, 'ltr']);
    }
  });

  it('accepts tags in capitals, with a script, and by deprecated names', async () => {
    await says(await show('FR-ca'), 'Commentaires');
    await says(await show('zh-Hans-SG'), '评论');
    await says(await show('iw'), 'תגובות');
  });

  it('gives zh-Hant-TW Traditional Chinese, and pt-PT European Portuguese', async () => {
    for (const [lang, tag] of [
      ['zh-Hant-TW', 'zh-Hant'], ['zh-TW', 'zh-TW'], ['zh-HK', 'zh-HK'], ['zh-Hans-TW', 'zh'], ['zh-CN', 'zh'], ['pt-PT', 'pt-PT'],
    ] as const) {
      const { localizer } = await show(lang);
      await until(() => localizer.tag === tag, `${lang}: ${tag}`);
    }
  });

  it('uses a registered language, also for English', async () => {
    const english = await show('en-GB');
    const basque = await show('eu');
    registerLanguage('eu', { core: { heading: 'Iruzkinak' } } as unknown as Language);
    registerLanguage('en-GB', { core: { heading: 'Remarks' } } as unknown as Language);
    basque.requestUpdate();
    english.requestUpdate();
    await says(basque, 'Iruzkinak');
    await says(english, 'Remarks');
    expect(() => registerLanguage('not a tag', {} as Language)).to.throw(RangeError);
    Localizer.registered.length = 0;
  });

  it('has the direction of its language', async () => {
    for (const [lang, words] of [['ar-EG', 'التعليقات'], ['he', 'תגובות']] as const) {
      const element = await show(lang);
      await says(element, words);
      expect(element.localizer.direction).to.equal('rtl');
    }
  });

  it('has no direction until the first language has loaded, so that nothing moves', async () => {
    const load = Promise.withResolvers<Language>();
    known['xx'] = () => load.promise;
    const element = await show('xx');
    expect(element.localizer.direction).to.equal(undefined);
    load.resolve({ direction: 'rtl', core: { heading: 'late' } } as unknown as Language);
    await says(element, 'late');
    expect(element.localizer.direction).to.equal('rtl');
  });

  it("takes the browser's language where the page has none that is known", async () => {
    setBrowserLanguages('tlh', 'de-CH', 'ar');
    await says(await show('eo'), 'Kommentare');
  });

  it('is English on an English page, whatever the browser\'s languages', async () => {
    setBrowserLanguages('de');
    const element = await show('en-GB');
    const other = await show('de');
    await says(other, 'Kommentare');
    expect(element.renderRoot.textContent).to.equal('Comments');
  });

  it('is English without a known language', async () => {
    for (const lang of ['eo', '-', 'constructor', '']) {
      const { localizer, renderRoot } = await show(lang);
      await until(() => localizer.direction, 'the language');
      expect([renderRoot.textContent, localizer.tag, localizer.direction], lang).to.deep.equal(['Comments', 'en', 'ltr']);
    }
  });

  it('falls back to English if a language cannot be loaded', async () => {
    const element = await show('ar');
    await says(element, 'التعليقات');
    element.parentElement!.lang = 'xx';
    await says(element, 'Comments');
    expect([element.localizer.tag, element.localizer.direction]).to.deep.equal(['en', 'ltr']);
  });

  it('follows changes of its own and the page’s language', async () => {
    const element = await show('de');
    await says(element, 'Kommentare');
    element.parentElement!.lang = 'uk';
    await says(element, 'Коментарі');
    element.lang = 'fi';
    await says(element, 'Kommentit');
    element.lang = 'en';
    await says(element, 'Comments');
  });

  it('shows the language requested last, whichever loads first', async () => {
    const load = Promise.withResolvers<Language>();
    known['xx'] = () => load.promise;
    const element = await show('xx');
    element.parentElement!.lang = 'sv';
    await says(element, 'Kommentarer');
    load.resolve({ core: { heading: 'late' } } as unknown as Language);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(element.renderRoot.textContent).to.equal('Kommentarer');
  });
});
