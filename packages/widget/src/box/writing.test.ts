/** The comment box, for a reader who writes; the attributes and methods that concern the field. */

import { expect } from '@open-wc/testing';
import { TestBff } from '../_bff.ts';
import { FIELD, openBox, openSignedIn, replace, type Box } from './_box.ts';

describe('the field of the box', () => {
  it('has the draft in place when vestibule-ready is fired', async () => {
    const bff = new TestBff();
    (await openBox({ bff })).write('kept');
    const isReady = new Promise<string>((resolve) => {
      document.addEventListener('vestibule-ready', ({ target }) => resolve((target as Element).shadowRoot!.querySelector('textarea')!.value), { once: true });
    });
    await openBox({ bff });
    expect(await isReady).to.equal('kept');
  });

  it('has a label, a placeholder of the page, and a heading of its level', async () => {
    const { field, part } = await openBox({ attributes: { placeholder: 'Be kind', 'heading-level': '3' } })
      .then((box) => ({ field: box.field, part: box.part('heading')! }));
    expect([field.labels[0]!.textContent, field.placeholder, part.role, part.ariaLevel]).to.deep.equal([FIELD, 'Be kind', 'heading', '3']);
  });

  it('grows with its text', async () => {
    const box = await openBox();
    const { clientHeight } = box.field;
    box.write('line\n'.repeat(12));
    await box.until(() => box.field.clientHeight > clientHeight, 'a higher field');
  });

  it('grows with its text also where the browser has no field-sizing', async () => {
    replace(CSS, { supports: () => false });
    const bff = new TestBff();
    const box = await openBox({ bff });
    box.field.style.setProperty('field-sizing', 'fixed');
    const { clientHeight } = box.field;
    box.write('line\n'.repeat(8));
    expect(box.field.clientHeight).to.be.greaterThan(2 * clientHeight);
    box.write('');
    expect(box.field.clientHeight).to.equal(clientHeight);
  });

  it('has a live region for the limit before the limit comes near', async () => {
    const box = await openSignedIn({ attributes: { 'max-length': '40' } });
    const [region] = box.all('.line > .visually-hidden') as [HTMLElement];
    box.write('x'.repeat(38));
    await box.until(() => region.textContent.trim() === 'You are near the character limit.', 'the text of the region');
    box.write('x'.repeat(41));
    await box.until(() => region.textContent.trim() === 'Your comment is too long.', 'the other text');
  });

  it('has a counter that goes on in a page which a browser translates', async () => {
    const box = await openSignedIn({ attributes: { 'max-length': '40' } });
    box.write('x'.repeat(38));
    await box.says('2 characters left');
    const counter = box.part('counter')!;
    const walker = document.createTreeWalker(counter, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode as Text;
      if (text.data.trim()) text.replaceWith(Object.assign(document.createElement('font'), { textContent: 'noch 2 Zeichen' }));
      break;
    }
    box.write('x'.repeat(39));
    await box.until(() => counter.textContent.trim() === '1 character left', 'the number');
  });

  it('counts code points near the lower limit of page and BFF', async () => {
    const box = await openSignedIn({ attributes: { 'max-length': '40' } });
    box.write('x'.repeat(35));
    await box.element.updateComplete;
    expect(box.words).not.to.contain('left');
    box.write('🦊'.repeat(39));
    await box.says('1 character left');
    box.write('🦊'.repeat(42));
    await box.says('2 characters too many');
    for (const none of ['0', '-1', 'many', '20000']) {
      box.element.setAttribute('max-length', none);
      box.write('x'.repeat(9_999));
      await box.says('1 character left');
    }
  });

  it('has a font size of at least 16 pixels, so that iOS does not zoom', async () => {
    const place = document.body.appendChild(document.createElement('div'));
    place.style.fontSize = '10px';
    const box = await openBox({ place });
    expect(getComputedStyle(box.field).fontSize).to.equal('16px');
    place.remove();
  });
});

describe('focus()', () => {
  it('focuses the field, also of a box that is not rendered yet', async () => {
    const element = document.createElement('vestibule-comments');
    document.body.append(element);
    element.focus();
    const isFocused = (): boolean => element.shadowRoot?.activeElement?.localName === 'textarea';
    while (!isFocused()) await new Promise((resolve) => setTimeout(resolve));
    element.remove();
    const box = await openBox();
    box.element.focus();
    expect(box.focus).to.equal(FIELD);
  });
});

describe('the focus', () => {
  async function submit(): Promise<Box> {
    const box = await openSignedIn();
    box.write('text');
    return box;
  }

  it('stays in the box through every panel, also in a box that is part of another element', async () => {
    const outer = document.body.appendChild(document.createElement('div'));
    for (const place of [outer.attachShadow({ mode: 'open' }), document.body]) {
      const box = await openSignedIn({ place });
      box.write('text');
      box.button('Sign out')!.focus();
      await box.press('Sign out');
      await box.says('Sign out? What is not posted is deleted.');
      await box.hasFocusOn('Stay signed in');
      await box.press('Stay signed in');
      await box.hasFocusOn(FIELD);
      await box.bff.set({ answers: { 'POST /posts': [{ problem: 'outcome-unknown' }] } });
      box.button('Post comment')!.focus();
      await box.press('Post comment');
      await box.hasRow('We could not confirm that this was posted.');
      await box.hasFocusOn(FIELD);
      await box.press('Delete');
      await box.hasFocusOn('Keep');
      box.button('Delete')!.focus();
      await box.press('Delete');
      await box.until(() => box.row === '', 'no entry');
      await box.hasFocusOn(FIELD);
      box.element.remove();
    }
    outer.remove();
  });

  it('goes to the field when the session expires while “Sign out” has it', async () => {
    const box = await submit();
    box.part('account')!.click();
    await box.hasFocusOn('Sign out');
    await box.bff.setSession({});
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await box.isSignedOut();
    await box.hasFocusOn(FIELD);
  });

  it('stays where the reader has put it, elsewhere in the page', async () => {
    const box = await submit();
    const elsewhere = document.body.appendChild(document.createElement('button'));
    elsewhere.focus();
    await box.bff.setSession({});
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await box.isSignedOut();
    expect(document.activeElement === elsewhere, 'the focus on the button of the page').to.equal(true);
    elsewhere.remove();
  });
});
