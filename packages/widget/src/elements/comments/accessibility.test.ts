import { expect } from '@open-wc/testing';
import { a11ySnapshot, sendKeys } from '@web/test-runner-commands';
import { TestBff } from '../../_bff.ts';
import { openBox, openSignedIn, type Box } from './_box.ts';

/** States that stay, by a way to reach them. The gallery of the tests has all of them, and checks them with axe. */
const states: Readonly<Record<string, () => Promise<Box>>> = {
  async 'signed out'() {
    const box = await openBox();
    await box.isSignedOut();
    return box;
  },
  'signed in': () => openSignedIn(),
  async 'near the limit'() {
    const box = await openSignedIn({ maxLength: 20 });
    box.write('x'.repeat(19));
    await box.says('1 character left');
    return box;
  },
  async 'a text that is too long'() {
    const box = await openSignedIn({ maxLength: 5 });
    box.write('sixsix');
    await box.press('Post comment');
    await box.says('This comment is too long.');
    return box;
  },
  async 'a post that failed'() {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'service-refused', detail: 'Not here.' }] } });
    box.write('hello');
    await box.press('Post comment');
    await box.says('Not here.');
    return box;
  },
  async 'another try'() {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'service-unavailable', headers: { 'Retry-After': '30' } }] } });
    box.write('hello');
    await box.press('Post comment');
    await box.says('Trying again in');
    return box;
  },
  async 'a post that is perhaps there'() {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'outcome-unknown' }] } });
    box.write('hello');
    await box.press('Post comment');
    await box.says('I can see it');
    return box;
  },
  async 'a post that is there'() {
    const box = await openSignedIn();
    box.write('hello');
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    await Promise.all(box.element.shadowRoot!.getAnimations().map((animation) => animation.finished));
    return box;
  },
  async 'a second draft'() {
    const box = await openSignedIn();
    box.element.draft.offer('line\n'.repeat(40));
    box.element.requestUpdate();
    await box.says('There is another unposted text of yours for this page:');
    return box;
  },
  async 'a notice'() {
    const bff = new TestBff();
    await bff.setSession({ notice: 'declined' });
    const box = await openBox({ bff });
    await box.says('Access was not allowed');
    return box;
  },
  async 'a sign-in that is not finished'() {
    const bff = new TestBff();
    await bff.offer();
    const box = await openBox({ bff });
    await box.says('is not finished yet');
    return box;
  },
  async 'a sign-in under a long name'() {
    const box = await openBox();
    await box.isSignedOut();
    const syncReturn = { code: 'c0de', username: 'Wolfeschlegelstein'.repeat(4), user_id: '42', audiencesync_uri: 'https://service.example/' };
    box.element.callback = { kind: 'granted', syncReturn };
    box.element.requestUpdate();
    await box.says('You are about to sign in as');
    return box;
  },
  async 'the form in the page'() {
    const bff = new TestBff();
    await bff.offer({ fields: [{ name: 'age', type: 'number', label: 'Your age', required: true }] });
    const box = await openBox({ bff, sync: 'inline' });
    await box.until(() => box.element.shadowRoot!.querySelector('vestibule-sync')?.shadowRoot?.textContent.includes('Your age'), 'the form');
    return box;
  },
  async 'no answer'() {
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /session': [{ problem: 'cross-site-request' }] } });
    const box = await openBox({ bff });
    await box.says('This page is not allowed to use the comment service.');
    return box;
  },
};

afterEach(() => { localStorage.clear(); });

describe('the comment box, accessibility', () => {
  for (const [name, open] of Object.entries(states)) {
    it(`has targets of 44 by 44 pixels, and fits into 320: ${name}`, async () => {
      const { element } = await open();
      element.parentElement!.style.inlineSize = '320px';
      await element.updateComplete;
      for (const target of element.shadowRoot!.querySelectorAll('button, textarea')) {
        const { width, height } = target.getBoundingClientRect();
        if (width > 0) expect(Math.min(width, height), target.textContent).to.be.at.least(44);
      }
      expect(element.scrollWidth).to.be.at.most(320);
    });
  }

  it('has a region with a heading, a field with label and description, and a button', async () => {
    const box = await openSignedIn();
    box.write('x');
    const { element } = box;
    element.id = 'box';
    const nodes = flatten(await a11ySnapshot({ selector: 'vestibule-comments' }) as unknown as Node);
    expect(nodes.find(({ role }) => role === 'heading')).to.deep.include({ name: 'Comments', level: 2 });
    expect(nodes.find(({ role }) => role === 'textbox')).to.deep.include({
      name: 'Your comment', description: 'Commenting as Ada', multiline: true, value: 'x',
    });
    expect(nodes.filter(({ role }) => role === 'button').map(({ name }) => name)).to.deep.equal(['Sign out', 'Post comment', 'Delete draft']);
  });

  it('names the panel of a second draft by its sentence alone, and lets the keyboard scroll the text', async () => {
    const { element } = await states['a second draft']!();
    const root = element.shadowRoot!;
    const label = root.querySelector('[role=group]')!.getAttribute('aria-labelledby')!;
    expect(root.getElementById(label)!.textContent).to.equal('There is another unposted text of yours for this page:');
    const quote = root.querySelector<HTMLElement>('.other')!;
    expect(quote.scrollHeight).to.be.above(quote.clientHeight);
    quote.focus();
    expect(root.activeElement).to.equal(quote);
  });

  it('shows the placeholder in the colour of the label', async () => {
    const { element, field } = await openBox();
    const { color, opacity } = getComputedStyle(field, '::placeholder');
    expect([color, opacity]).to.deep.equal([getComputedStyle(element.shadowRoot!.querySelector('label')!).color, '1']);
  });

  it('has its live regions from the beginning, and announces each outcome in one', async () => {
    const box = await openBox();
    const [status, alert] = ['status', 'alert'].map((role) => box.element.shadowRoot!.querySelector(`[role=${role}]`)!);
    expect([status!.textContent, alert!.textContent]).to.deep.equal(['', '']);
    await box.isSignedOut();
    await box.bff.signIn();
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await box.isSignedIn();
    expect(status!.textContent).to.equal('You are signed in as Ada.');
    await box.press('Post comment');
    await box.until(() => alert!.textContent === 'Write something first.', 'the alert');
    box.write('hello');
    await box.press('Post comment');
    await box.until(() => status!.textContent === 'Your comment is posted.', 'the outcome');
    expect(alert!.textContent).to.equal('');
  });

  it('announces the limit when it is near and when it is exceeded, not with each key', async () => {
    const box = await openSignedIn({ maxLength: 30 });
    const told: string[] = [];
    for (let length = 25; length <= 33; length += 1) {
      box.write('x'.repeat(length));
      await box.element.updateComplete;
      told.push(box.element.shadowRoot!.querySelector('.visually-hidden')!.textContent);
    }
    expect([...new Set(told)]).to.deep.equal(['', 'You’re near the character limit.', 'Your comment is too long.']);
  });

  it('can be used by keyboard alone', async () => {
    const box = await openSignedIn();
    box.element.focus();
    await sendKeys({ type: 'by keys' });
    await sendKeys({ press: 'Tab' });
    expect(box.element.shadowRoot!.activeElement).to.equal(box.button('Post comment'));
    await sendKeys({ press: 'Enter' });
    await box.says('Your comment is posted.');
    expect(box.element.shadowRoot!.activeElement).to.equal(box.button('Post comment'));
    await sendKeys({ down: 'Shift' });
    await sendKeys({ press: 'Tab' });
    await sendKeys({ up: 'Shift' });
    expect(box.element.shadowRoot!.activeElement).to.equal(box.field);
  });

  it('moves nothing when the second stage loads', async () => {
    for (const width of ['320px', '700px']) {
      const bff = new TestBff();
      await bff.signIn();
      await bff.set({ answers: { 'GET /session': [{ hold: 'session' }] } });
      const box = await openBox({ bff });
      box.element.parentElement!.style.inlineSize = width;
      const parts = [box.element, box.field, box.element.shadowRoot!.querySelector('.primary')!];
      const places = (): number[] => parts
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
