/** The comment box for readers who use the keyboard, assistive technology, or a small screen. */

import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { snapshotOf } from '../_snapshot.ts';
import { TestBff } from '../_bff.ts';
import {
  comeBack, FIELD, letPass, openBox, openSignedIn, openTab, recordWindows, replace, signedInBefore, SIGN_IN, type Box,
} from './_box.ts';

/** What a screen reader is told since then, in order: changes of a live region's text, and alerts that are inserted with it.
 *  Reports what makes Orca silent, too: an alert that is filled later, and a region whose `aria-live` changes. */
function listen(box: Box): () => string[] {
  const said: string[] = [];
  const textOf = (node: Pick<Element, 'textContent'>): string => (node.textContent ?? '').replace(/\s+/g, ' ').trim();
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      const alerts = [...addedNodes].filter((node) => node instanceof HTMLElement).filter(({ role }) => role === 'alert');
      for (const alert of alerts) said.push(`alert: ${textOf(alert)}`);
      const region = (target instanceof Element ? target : target.parentElement)?.closest<HTMLElement>('#said, [role=alert]');
      if (type === 'attributes') said.push(`aria-live: ${region?.ariaLive}`);
      if (type === 'attributes' || !region?.textContent) continue;
      if (region.role === 'alert') said.push(`filled: ${textOf(region)}`);
      else if (said.at(-1) !== `status: ${textOf(region)}`) said.push(`status: ${textOf(region)}`);
    }
  }).observe(box.element.shadowRoot!, { subtree: true, childList: true, characterData: true, attributeFilter: ['aria-live'] });
  return () => said;
}

/** States that stay, by a way to reach them. `test/a11y` has all of them, and checks them with axe. */
const states: Readonly<Record<string, () => Promise<Box>>> = {
  async 'signed out'() {
    const box = await openBox();
    await box.isSignedOut();
    return box;
  },
  async 'near the limit'() {
    const box = await openSignedIn({ attributes: { 'max-length': '20' } });
    box.write('x'.repeat(19));
    await box.says('1 character left');
    return box;
  },
  async 'a post that failed'() {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'service-refused', detail: 'Not here.' }] } });
    await box.post('hello');
    await box.says('Not here.');
    return box;
  },
  async 'another try'() {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'service-unavailable', headers: { 'Retry-After': '30' } }] } });
    await box.post('hello');
    await box.hasAsked('POST /posts', 1);
    letPass(11_000);
    comeBack();
    await box.says('Trying again.');
    return box;
  },
  async 'a post that is perhaps there'() {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'outcome-unknown' }] } });
    await box.post('hello');
    await box.says('Post again');
    return box;
  },
  async 'a post that is there'() {
    const box = await openSignedIn();
    await box.post('hello');
    await box.says('Your comment is posted.');
    await Promise.all(box.element.shadowRoot!.getAnimations().map((animation) => animation.finished));
    return box;
  },
  async 'the form in the page'() {
    const bff = new TestBff();
    await bff.offer({ fields: [{ name: 'age', type: 'number', label: 'Your age', required: true }] });
    const box = await openBox({ bff, attributes: { sync: 'inline' } });
    await box.says('Your age');
    return box;
  },
};

/** Height in which a pointer meets the control: it may be larger than what is seen. */
function targetHeight(target: HTMLElement): number {
  const { height } = target.getBoundingClientRect();
  const { top, bottom } = getComputedStyle(target, '::after');
  return height - Math.min(0, parseFloat(top) || 0) - Math.min(0, parseFloat(bottom) || 0);
}

describe('the comment box, accessibility', () => {
  for (const [name, open] of Object.entries(states)) {
    it(`has targets of 44 pixels, quiet ones of 24 (WCAG 2.5.8), fits into 320, and has no control in a live region: ${name}`, async () => {
      const box = await open();
      box.element.parentElement!.style.inlineSize = '320px';
      await box.element.updateComplete;
      for (const target of box.all('button, textarea, a')) {
        if (target.checkVisibility({ visibilityProperty: true })) expect(targetHeight(target), target.textContent).to.be.at.least(target.matches('.quiet') ? 24 : 44);
      }
      expect(box.element.scrollWidth).to.be.at.most(320);
      expect(box.all('[aria-live] :is(button, a), [role=alert] :is(button, a)').length).to.equal(0);
    });
  }

  it('keeps the buttons of its line beside a long name, in one line', async () => {
    const bff = new TestBff();
    await bff.signIn({ user_id: '42', username: 'Wolfeschlegelstein '.repeat(6) });
    const box = await openBox({ bff });
    box.element.parentElement!.style.inlineSize = '700px';
    await box.isSignedIn('Wolfeschlegelstein');
    box.write('x');
    box.element.focus();
    await box.until(() => box.primary, 'the main button');
    const buttons = [box.part('account')!, box.primary!];
    const middles = buttons.map((part) => part.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2);
    expect(Math.max(...middles) - Math.min(...middles)).to.be.lessThan(4);
    for (const { clientHeight } of buttons) expect(clientHeight).to.be.lessThan(45);
    expect(box.part('account')!.getBoundingClientRect().width, 'a long name is cut').to.be.lessThan(300);
  });

  it('has a region with a heading, a field with label and description, and a button', async () => {
    const box = await openSignedIn();
    box.write('x');
    const nodes = flatten(await snapshotOf('vestibule-comments') as unknown as Node);
    expect(nodes.find(({ role }) => role === 'heading')).to.deep.include({ name: 'Comments', level: 2 });
    expect(nodes.find(({ role }) => role === 'textbox')).to.deep.include({
      name: FIELD, description: 'Commenting as Ada', multiline: true, value: 'x',
    });
    expect(nodes.filter(({ role }) => role === 'button').map(({ name }) => name)).to.deep.equal(['Post comment', 'Commenting as Ada']);
    box.part('account')!.click();
    expect(box.focus, 'the menu').to.equal('Sign out');
  });

  it('describes an invalid field by the error', async () => {
    const box = await openSignedIn();
    box.element.focus();
    await box.press('Post comment');
    box.field.blur();
    await box.until(() => box.status === 'Write something first.', 'the error');
    await box.element.updateComplete;
    expect(box.field.ariaDescribedByElements!.map(({ textContent }) => textContent.trim())).to.deep.equal(['Write something first.', 'Commenting as Ada']);
  });

  it('shows the placeholder in the colour of secondary text', async () => {
    const box = await openBox();
    box.element.focus();
    await box.hasFocusOn(FIELD);
    await box.element.updateComplete;
    const { color, opacity } = getComputedStyle(box.field, '::placeholder');
    expect([color, opacity]).to.deep.equal([getComputedStyle(box.all('#status')[0]!).color, '1']);
  });

  it('writes an empty field in the direction of the page, and a text in its own', async () => {
    const box = await openBox({ attributes: { lang: 'ar' } });
    const direction = (): string => getComputedStyle(box.field).direction;
    await box.until(() => direction() === 'rtl', 'the direction of Arabic');
    box.write('left to right');
    expect(direction()).to.equal('ltr');
  });

  it('has its first texts in a language that has loaded already: the field of a reply is spoken with its focus', async () => {
    const first = await openBox({ attributes: { lang: 'fi' } });
    await first.until(() => first.part('heading')!.lang === 'fi', 'Finnish');
    const second = await openBox({ attributes: { lang: 'fi' } });
    await second.element.updateComplete;
    expect(second.part('heading')!.lang).to.equal('fi');
  });

  it('keeps the row of an entry readable and beside its buttons where the reader’s font is twice as large', async () => {
    const box = await states['another try']!();
    box.element.parentElement!.style.inlineSize = '700px';
    document.documentElement.style.fontSize = '200%';
    const [row, button] = [box.all('.say')[0]!, box.button('Stop')!].map((part) => part.getBoundingClientRect());
    document.documentElement.style.fontSize = '';
    expect(row!.width).to.be.above(300);
    expect(row!.bottom <= button!.top || row!.right <= button!.left, 'apart').to.equal(true);
  });

  it('says each status once, in one region', async () => {
    const box = await openBox();
    const [status] = box.all('#status');
    expect([status!.textContent, status!.role, status!.ariaLive]).to.deep.equal(['', null, null]);
    await box.isSignedOut();
    const hear = listen(box);
    await box.bff.signIn();
    comeBack();
    await box.until(() => box.status === 'You are signed in.', 'the sign-in');
    box.element.focus();
    await box.press('Post comment');
    await box.until(() => hear().at(-1) === 'status: Write something first.', 'the error');
    await box.post('hello');
    await box.until(() => hear().at(-1) === 'status: Your comment is posted.', 'the outcome');
    // A quick outcome replaces what comes before it.
    expect(hear().filter((said) => !/One moment|Posting/.test(said))).to.deep.equal(
      ['status: You are signed in.', 'status: Write something first.', 'status: Your comment is posted.'],
    );
  });

  it('says each alert, the same one again too, and describes field and button by it', async () => {
    const box = await openBox();
    await box.isSignedOut();
    const hear = listen(box);
    const alert = 'status: This site did not accept your sign-in. You must be 18.';
    await box.bff.setSession({ notice: { id: '1', kind: 'rejected', reason: 'You must be 18.' } });
    comeBack();
    await box.until(() => hear().join() === alert, 'the alert');
    for (const part of [box.field, box.primary!]) {
      expect(part.ariaDescribedByElements!.map(({ id }) => id)).to.include.members(['status', 'alert']);
    }
  });

  it('says once that it tries again, and then the outcome; the later attempts are not said', async () => {
    const box = await openSignedIn();
    const busy = { problem: 'service-unavailable', headers: { 'Retry-After': '1' } } as const;
    await box.bff.set({ answers: { 'POST /posts': [{ ...busy, headers: { 'Retry-After': '11' } }, busy, { hold: 'post' }] } });
    const hear = listen(box);
    await box.post('hello');
    await box.hasAsked('POST /posts', 1);
    letPass(12_000);
    comeBack();
    await box.until(async () => (await box.bff.requests('POST /posts')).length === 3, 'the third attempt');
    await box.bff.release('post');
    await box.until(() => hear().at(-1) === 'status: Your comment is posted.', 'the outcome');
    expect(hear()).to.deep.equal(['status: Posting…', 'status: Not posted yet. Trying again.', 'status: Your comment is posted.']);
  });

  it('says once that a comment waits for approval, and that its reader is signed out', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ status: 201, json: { post: {}, listed: { state: 'pending' } } }] } });
    const hear = listen(box);
    await box.post('hello');
    await box.until(() => hear().at(-1) === 'status: Thank you. Your comment is waiting for approval.', 'the outcome');
    await box.press('Sign out');
    await box.until(() => hear().at(-1) === 'status: You are signed out.', 'the sign-out');
    expect(hear().filter((said) => !/One moment|Posting/.test(said))).to.deep.equal(
      ['status: Thank you. Your comment is waiting for approval.', 'status: You are signed out.'],
    );
  });

  for (const [what, answer, expected] of [
    ['accepted', (box: Box) => box.bff.signIn(), 'status: One more step: post your comment.'],
    ['rejected', ({ bff }: Box) => bff.setSession({ notice: { id: 'n', kind: 'rejected', reason: 'You must be 18.' } }), 'status: This site did not accept your sign-in. You must be 18.'],
  ] as const) {
    it(`says the outcome of a sign-in when the page has the focus again: ${what}`, async () => {
      recordWindows();
      const box = await openBox();
      await box.isSignedOut();
      box.write('hello');
      await box.press(SIGN_IN);
      await box.says('Continue in the sign-in window.');
      replace(document, { hasFocus: () => false });
      const hear = listen(box);
      await answer(box);
      comeBack();
      await box.says(expected.split(': ')[1]!);
      expect(hear(), 'seen, not said').to.deep.equal([]);
      replace(document, { hasFocus: () => true });
      window.dispatchEvent(new FocusEvent('focus'));
      await box.until(() => hear().length > 0, 'the outcome');
      expect(hear()).to.deep.equal([expected]);
      // Nor by the description of the field, which may have the focus then.
      expect(box.field.getAttribute('aria-describedby')).not.to.match(/status|alert/);
      box.field.focus();
      box.field.blur();
      expect(box.field.getAttribute('aria-describedby')).to.match(/status alert/);
    });
  }

  it('says once that the article is closed to a reader who writes, not where it has been, and describes the field by it', async () => {
    const box = await openSignedIn();
    const hear = listen(box);
    box.element.focus();
    box.write('too late');
    box.element.closed = true;
    await box.says('Comments on this article are closed.');
    await box.element.updateComplete;
    expect(hear()).to.deep.equal(['alert: Comments on this article are closed.']);
    box.field.blur();
    expect(box.field.ariaDescribedByElements!.map(({ id }) => id)).to.include('closed');
    const late = await openBox({ attributes: { closed: '' } });
    expect(late.part('closed')!.role).to.equal(null);
    late.element.focus();
    late.element.requestUpdate();
    await late.element.updateComplete;
    expect(late.part('closed')!.role).to.equal(null);
  });

  it('says that the button opens a window, which another one does not', async () => {
    for (const [attributes, words] of [[{}, 'Opens a window'], [{ sync: 'inline' }, '']] as const) {
      const box = await openBox({ attributes });
      await box.isSignedOut();
      const described = box.primary!.ariaDescribedByElements!.map(({ textContent }) => textContent.trim()).join('');
      expect(described).to.equal(words);
      box.element.remove();
    }
  });

  it('grows with the reader’s font, every text of it', async () => {
    const box = await states['a post that failed']!();
    // As wide as it may be, so that it shows all of its parts.
    box.element.parentElement!.style.inlineSize = '1300px';
    box.write('x');
    const texts = (): HTMLElement[] => box.all('textarea, #status, #alert, button, [part~=account], .avatar').filter((one) => one.checkVisibility());
    const sizes = (): number[] => texts().map((one) => parseFloat(getComputedStyle(one).fontSize));
    const before = sizes();
    document.documentElement.style.fontSize = '200%';
    const after = sizes();
    document.documentElement.style.fontSize = '';
    expect(before.length).to.be.above(5);
    expect(after).to.deep.equal(before.map((size) => size * 2));
  });

  it('announces the limit when it is near and when it is exceeded, not with each key', async () => {
    const box = await openSignedIn({ attributes: { 'max-length': '30' } });
    const said: string[] = [];
    const observer = new MutationObserver(() => said.push(regions().join()));
    const regions = (): string[] => box.all('[aria-live], [role=status], [role=alert]').map(({ textContent }) => textContent.trim()).filter(Boolean);
    observer.observe(box.element.shadowRoot!, { subtree: true, childList: true, characterData: true });
    for (let length = 25; length <= 33; length += 1) {
      box.write('x'.repeat(length));
      await box.element.updateComplete;
    }
    observer.disconnect();
    expect(box.all('#near')[0]!.textContent).to.equal('Your comment is too long.');
    expect([...new Set(said)].filter(Boolean)[0]).to.equal('You are near the character limit.');
  });

  it('can be used by keyboard alone', async () => {
    const box = await openSignedIn();
    box.element.focus();
    await sendKeys({ type: 'by keys' });
    await sendKeys({ press: 'Tab' });
    expect(box.focus).to.equal('Post comment');
    await sendKeys({ press: 'Enter' });
    await box.says('Your comment is posted.');
    expect([box.focus, box.field.value]).to.deep.equal([FIELD, '']);
  });

  it('moves nothing when the second stage loads', async () => {
    for (const width of ['320px', '350px']) {
      const bff = await signedInBefore();
      await bff.set({ answers: { 'GET /session': [{ hold: 'session' }] } });
      const box = await openBox({ bff, tab: await openTab() });
      box.element.parentElement!.style.inlineSize = width;
      const places = (): number[] => [box.element, box.field]
        .map((part) => part.getBoundingClientRect())
        .flatMap(({ top, left, bottom }) => [top, left, bottom]);
      const before = places();
      await bff.release('session');
      await box.isSignedIn();
      expect(places(), width).to.deep.equal(before);
    }
  });
});

interface Node {
  readonly role: string;
  readonly name?: string;
  readonly children?: readonly Node[];
}

function flatten(node: Node): Node[] {
  return [node, ...(node.children ?? []).flatMap(flatten)];
}
