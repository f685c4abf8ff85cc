/** The box as a guest in pages of others: their colours, languages, frameworks, and what the reader is doing meanwhile. */

import { expect } from '@open-wc/testing';
import { emulateMedia, readFile } from '@web/test-runner-commands';
import { TestBff } from '../_bff.ts';
import { devtools, openBox, openSignedIn, openTab, signedInBefore, type Box } from '../box/_box.ts';

/** A place in the page until the end of the test. */
function place(style = '', lang = ''): HTMLElement {
  const element = document.body.appendChild(document.createElement('div'));
  Object.assign(element, { style, lang });
  places.push(element);
  return element;
}

const list = { posts: [{ id: '1', author: { username: 'Bo' }, message: 'hello', created_at: '2026-06-09T20:00:00Z' }] };

const places: HTMLElement[] = [];

afterEach(() => {
  for (const element of places.splice(0)) element.remove();
});

describe('the arrival of the session', () => {
  async function openHeld(): Promise<Box> {
    const bff = await signedInBefore();
    await bff.set({ answers: { 'GET /session': [{ hold: 'session' }] } });
    const box = await openBox({ bff, tab: await openTab() });
    box.field.focus();
    return box;
  }

  it('moves neither caret nor selection', async () => {
    for (const [start, end] of [[0, 0], [1, 3]] as const) {
      const box = await openHeld();
      box.write('hello');
      box.field.setSelectionRange(start, end);
      await box.bff.release('session');
      await box.isSignedIn('Ada');
      expect([box.field.value, box.field.selectionStart, box.field.selectionEnd]).to.deep.equal(['hello', start, end]);
    }
  });

  it('ends no composition of an input method', async () => {
    const box = await openHeld();
    const ends: string[] = [];
    box.field.addEventListener('compositionend', ({ data }) => ends.push(data));
    await devtools('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
    await box.until(() => box.field.value === 'にほ', 'the composition');
    await box.bff.release('session');
    await box.isSignedIn('Ada');
    await devtools('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    expect([ends, box.field.value]).to.deep.equal([[], 'にほん']);
  });
});

describe('theme="auto"', () => {
  /** The colour that a reader sees where colours lie upon each other. */
  function paint(...colors: string[]): readonly number[] {
    const context = new OffscreenCanvas(1, 1).getContext('2d')!;
    for (const color of colors) {
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
    }
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  }

  function luminance(color: readonly number[]): number {
    const [red, green, blue] = color.map((value) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  }

  function contrast(one: readonly number[], other: readonly number[]): number {
    const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (high! + 0.05) / (low! + 0.05);
  }

  for (const [page, background, color] of [
    ['a dark page without color-scheme', '#0e1116', '#e6edf3'],
    ['a page with the text #333', '#fff', '#333'],
    ['a page with the least contrast that the contract asks for', '#fff', '#595959'],
  ] as const) {
    it(`is legible on ${page}`, async () => {
      const box = await openSignedIn({ attributes: { 'max-length': '3' }, place: place(`background: ${background}; color: ${color}`) });
      box.write('abcd');
      await box.says('too many');
      const seen = (part: string, property: 'color' | 'borderTopColor' | 'backgroundColor', ...below: string[]): number => (
        contrast(paint(background, ...below, getComputedStyle(box.part(part)!)[property]), paint(background, ...below))
      );
      const edge = seen('frame', 'borderTopColor');
      await box.press('Post comment');
      await box.until(() => box.status !== '', 'the error');
      const [error, edgeInError] = [seen('status', 'color'), seen('frame', 'borderTopColor')];
      const counter = seen('counter', 'color');
      await box.bff.set({ answers: { 'POST /posts': [{ problem: 'post-rejected' }] } });
      await box.post('abc');
      await box.says('Not posted: The editors’ rules do not allow this comment.');
      const say = box.all('.say')[0]!;
      box.field.blur();
      box.field.focus();
      await box.until(() => box.primary, 'the main button');
      const [quiet, edgeOfQuiet] = [seen('primary-button', 'color'), seen('primary-button', 'borderTopColor')];
      box.write('abc');
      const { backgroundColor } = getComputedStyle(box.primary!);
      const found: readonly (readonly [string, number, number])[] = [
        ['text of the field', seen('field', 'color'), 4.5],
        ['edge of the field', edge, 3],
        ['account', seen('account', 'color'), 4.5],
        ['error', error, 4.5],
        ['edge of the field in error', edgeInError, 3],
        ['counter beyond the limit', counter, 4.5],
        ['failure', contrast(paint(background, getComputedStyle(say).color), paint(background)), 4.5],
        ['main button without a text', quiet, 4.5],
        ['its edge', edgeOfQuiet, 3],
        ['main button', seen('primary-button', 'backgroundColor'), 3],
        ['text of the main button', seen('primary-button', 'color', backgroundColor), 4.5],
      ];
      expect(found.filter(([, ratio, least]) => ratio < least).map(([what, ratio]) => `${what}: ${ratio.toFixed(2)}`)).to.deep.equal([]);
    });
  }
});

describe('languages', () => {
  it('of the phrases are not put on the reader’s text', async () => {
    const box = await openSignedIn({ place: place('', 'el') });
    expect(box.field.matches(':lang(en)')).to.equal(false);
    await box.post('τα λόγια μου');
    await box.says('Your comment is posted.');
    expect(box.all('*').findLast(({ textContent }) => textContent === 'τα λόγια μου')!.matches(':lang(en)')).to.equal(false);
  });

  it('come from the nearest `lang` across shadow roots', async () => {
    const root = place('', 'de').attachShadow({ mode: 'open' });
    await (await openBox({ place: root, untouched: true })).says('Kommentare');
  });
});

describe('attributes', () => {
  it('have defaults that sprout no attribute, and that come back with its removal', async () => {
    const box = await openBox({ attributes: { theme: 'dark', 'heading-level': '4', sync: 'inline', placeholder: 'Be kind' }, untouched: true });
    for (const name of ['theme', 'heading-level', 'sync', 'placeholder']) box.element.removeAttribute(name);
    await box.element.updateComplete;
    const { theme, headingLevel, sync, placeholder, lang } = box.element;
    expect({ theme, headingLevel, sync, placeholder, lang }).to.deep.equal({
      theme: 'auto', headingLevel: 2, sync: 'popup', placeholder: '', lang: '',
    });
    expect(box.part('heading')!.ariaLevel).to.equal('2');
    expect(box.element.getAttributeNames().toSorted()).to.deep.equal(['bff', 'forum']);
  });
});

describe('parts and custom properties', () => {
  /** Names in the documentation of the element, from which the manifest is made. */
  async function documented(): Promise<{ parts: string[]; properties: string[] }> {
    const source = (await readFile({ path: '../element/vestibule-comments.ts' }))!;
    const names = (pattern: RegExp): string[] => [...source.matchAll(pattern)].map(([, name]) => name!).toSorted();
    return { parts: names(/@csspart (\S+)/g), properties: names(/@cssprop \[(--[\w-]+)/g) };
  }

  function partsOf(box: Box): string[] {
    return box.all('[part], [exportparts]').filter((element) => element.getRootNode() === box.element.shadowRoot)
      .flatMap((element) => `${element.getAttribute('part') ?? ''} ${element.getAttribute('exportparts') ?? ''}`.match(/[\w-]+/g) ?? []);
  }

  it('exist as the manifest says, and no others', async () => {
    const signedIn = await openSignedIn();
    await signedIn.post('mine');
    await signedIn.says('Your comment is posted.');
    const bff = new TestBff();
    await bff.offer({ fields: [{ name: 'age', type: 'number', label: 'Your age', required: true }] });
    await bff.set({ answers: { 'GET /posts': [{ json: list }] } });
    const withForm = await openBox({ bff, attributes: { sync: 'inline', 'show-posts': '', 'max-length': '3' } });
    withForm.write('abcd');
    for (const words of ['Your age', 'hello', 'too many']) await withForm.says(words);
    const { parts, properties } = await documented();
    signedIn.write('');
    await signedIn.until(() => signedIn.part('account'), 'the account');
    const closed = await openBox({ attributes: { closed: '' }, untouched: true });
    expect([...new Set([signedIn, withForm, closed].flatMap(partsOf))].toSorted()).to.deep.equal(parts);
    const sheets = withForm.element.shadowRoot!.adoptedStyleSheets;
    const rules = sheets.flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join();
    const ofThread = '--vestibule-sticky-top';
    // A shorthand of a variable is not in the text of its rule.
    const inShorthand = '--vestibule-heading-font';
    withForm.element.style.setProperty(inShorthand, '700 10px monospace');
    expect(getComputedStyle(withForm.part('heading')!).fontFamily).to.equal('monospace');
    expect([...new Set([...rules.match(/--vestibule-[\w-]+/g)!, inShorthand, ofThread])].toSorted()).to.deep.equal(properties);
  });

  it('are listed in the README of the package', async () => {
    const { parts, properties } = await documented();
    const readme = (await readFile({ path: '../../README.md' }))!;
    expect([...parts, ...properties].filter((name) => !readme.includes(`\`${name}\``))).to.deep.equal([]);
  });
});

describe('moveBefore()', () => {
  const move = (element: Element): void => (
    (element.parentElement!.appendChild(document.createElement('div')) as unknown as { moveBefore(node: Node, child: null): void })
      .moveBefore(element, null)
  );

  it('keeps text, selection, and a post in flight', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ hold: 'post' }] } });
    box.element.focus();
    box.write('moving');
    box.field.setSelectionRange(2, 4);
    move(box.element);
    expect([box.field.value, box.field.selectionStart, box.field.selectionEnd]).to.deep.equal(['moving', 2, 4]);
    await box.press('Post comment');
    await box.says('Posting…');
    move(box.element);
    await box.bff.release('post');
    await box.says('Your comment is posted.');
    expect((await box.bff.requests()).map(({ method }) => method)).to.deep.equal(['GET', 'POST']);
  });

  it('does not repeat the request for the thread', async () => {
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /posts': [{ hold: 'list', json: list }, { json: list }] } });
    const box = await openBox({ bff, attributes: { 'show-posts': '' }, untouched: true });
    await box.hasAsked('GET /posts', 1);
    move(box.element);
    await bff.release('list');
    await box.says('hello');
    expect(await bff.requests('GET /posts')).to.have.length(1);
  });
});

describe('a printed page', () => {
  it('has the comments without the controls', async () => {
    const box = await openSignedIn();
    await box.post('mine');
    await box.says('Your comment is posted.');
    await emulateMedia({ media: 'print' });
    try {
      expect(box.part('post')?.textContent).to.contain('mine');
      expect(box.all('button, textarea, label').filter((control) => control.checkVisibility()).map(({ textContent }) => textContent)).to.deep.equal([]);
    } finally {
      await emulateMedia({ media: 'screen' });
    }
  });
});
