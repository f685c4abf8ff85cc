/** `<vestibule-sync>` and its page: levels of headings, phrases and languages, parts and custom properties. */

import { expect } from '@open-wc/testing';
import { TestBff } from '../_bff.ts';
import { openBox } from '../box/_box.ts';
import { finish, openForm, openQuestions, outcome, returnQuery, session, validating, validation, type Form } from './_sync-fixture.ts';

const town = { name: 'town', type: 'text', label: 'Town', required: true, help: 'Of birth.' } as const;

describe('<vestibule-sync>, its heading', () => {
  it('is of level 1 on a page without such a heading and 2 otherwise, unless `heading-level` is set', async () => {
    const form = await openForm({ search: returnQuery });
    const level = async (): Promise<string | null> => {
      form.element.requestUpdate();
      await form.element.updateComplete;
      return form.part('heading')!.ariaLevel;
    };
    expect(await level()).to.equal('1');
    const title = document.body.appendChild(document.createElement('h1'));
    expect(await level()).to.equal('2');
    form.element.setAttribute('heading-level', '4');
    expect(await level()).to.equal('4');
    form.element.removeAttribute('heading-level');
    expect(await level()).to.equal('2');
    title.remove();
  });
});

describe('<vestibule-sync>, its language', () => {
  it('is that of problems too, with its direction', async () => {
    // The phrases of the first problem are the form's own.
    for (const problem of ['service-unavailable', 'internal-error'] as const) {
      const form = await openForm({ attributes: { lang: 'ar' }, answers: { 'GET /session': [{ problem }] } });
      await form.until(() => form.role('alert'), 'the problem');
      const card = form.part('card')!;
      await form.until(() => card.lang === 'ar', 'the form in Arabic');
      expect(getComputedStyle(card).direction).to.equal('rtl');
      expect(form.words).to.match(/[\u0600-\u06ff]/).and.not.match(/[a-z]{4}/i);
      form.element.remove();
    }
  });

  it('is the first that is seen: no English before it', async () => {
    const { sync, limits } = validating(town);
    const form = await openForm({ attributes: { lang: 'he' }, data: { sync: sync!, limits } });
    const card = form.part('card')!;
    const seen = (): string[] => [card.lang, getComputedStyle(card).opacity];
    const before = seen();
    await form.until(() => card.lang === 'he', 'the form in Hebrew');
    expect([before, seen()]).to.deep.equal([['en', '0'], ['he', '1']]);
  });

  it('is not put on the reader’s answers and the publisher’s questions', async () => {
    const parent = document.body.appendChild(Object.assign(document.createElement('div'), { lang: 'el' }));
    const form = await openForm({ parent, session: validating({ ...town, label: 'Πόλη', help: 'Γέννησης' }) });
    await form.reaches('Before you comment');
    const foreign = [form.control('Πόλη'), ...form.all('bdi').filter(({ textContent }) => /Πόλη|Γέννησης/.test(textContent))];
    const wrong = foreign.filter((element) => element.matches(':lang(en)')).map(({ localName }) => localName);
    parent.remove();
    expect([foreign.length, wrong]).to.deep.equal([3, []]);
  });
});

describe('<vestibule-sync>, the site', () => {
  it('has the name that the BFF has for it, in the comment box too', async () => {
    const bff = new TestBff();
    await bff.offer({ fields: [town], site: 'The Courier' });
    const box = await openBox({ bff, attributes: { sync: 'inline' } });
    await box.says('The Courier asks everyone who wants to comment:');
    await bff.set(validation(outcome('rejected')));
    await box.press('Continue as Ada');
    await box.says('Please answer this.');
    box.all<HTMLInputElement>('input')[0]!.value = 'Bath';
    await box.press('Continue as Ada');
    await box.says('The Courier did not accept the sign-in');
  });

  it('has its name in the words of the form, without one its host', async () => {
    for (const [attributes, name] of [[{}, 'The Courier'], [{ site: '<b>Ö</b>' }, '<b>Ö</b>']] as const) {
      const form = await openQuestions([town], { attributes });
      expect(form.words).to.contain(`${name} asks everyone who wants to comment:`);
      form.element.site = null;
      await form.says(`${location.host} asks everyone`);
      form.element.remove();
    }
  });
});

/** Forms that show every part. */
async function eachStep(): Promise<Form[]> {
  const answers = await openQuestions([town, { name: 'rules', type: 'checkbox', label: 'Rules', required: true }]);
  await answers.press('Continue as Ada Lovelace');
  await answers.says('2 answers are missing or need a change:');
  const problem = await finish(validation({ problem: 'service-unavailable' }));
  await problem.says('not available right now');
  const ended = await openForm({ session: session('anonymous') });
  await ended.reaches('Nothing to do here');
  return [answers, problem, ended];
}

describe('<vestibule-sync>, what a page may style', () => {
  it('has one primary button in each step, and calls only the others `button`', async () => {
    for (const form of await eachStep()) {
      const primary = form.all('[part~=primary-button]');
      expect([primary.length <= 1, ...primary.map(({ part }) => part.contains('button'))]).to.deep.equal([true, ...primary.map(() => false)]);
    }
  });

  it('is listed in the README: parts and custom properties', async () => {
    const readme = await (await fetch('/packages/widget/README.md')).text();
    const forms = await eachStep();
    const sheets = forms[0]!.element.shadowRoot!.adoptedStyleSheets;
    const css = sheets.flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join();
    const parts = forms.flatMap((form) => form.all('[part]').flatMap(({ part }) => [...part]));
    const names = new Set([...parts, ...css.match(/--vestibule-[a-z-]+/g)!]);
    expect([...names].filter((name) => !readme.includes(`\`${name}\``))).to.deep.equal([]);
  });
});
