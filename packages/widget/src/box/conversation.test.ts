/** Replies, comments that wait for approval, closed articles, and what a page may do with the box. */

import { expect } from '@open-wc/testing';
import type { ListedPost } from '@vestibule/shared';
import { TestBff } from '../_bff.ts';
import { Box, FIELD, openBox, openSignedIn, openTab, refuseStorage, stored, SIGN_IN, type BoxOptions } from './_box.ts';
import type { VestibuleComments } from '../element/vestibule-comments.ts';

const listed: ListedPost = { id: '7', author: { username: 'Grace' }, message: 'the first', created_at: new Date().toISOString() };

async function openThread(list: object, options: BoxOptions = {}): Promise<Box> {
  const bff = options.bff ?? new TestBff();
  await bff.set({ answers: { 'GET /posts': [{ json: { posts: [listed], ...list } }] } });
  const box = await openBox({ ...options, bff, attributes: { 'show-posts': '', ...options.attributes } });
  await box.says('the first');
  return box;
}

/** The composer of a reply in the thread. */
function composerOf(box: Box): Box | undefined {
  const element = box.all<VestibuleComments>('vestibule-comments')[0];
  return element && new Box(box.bff, element);
}

async function openReply(box: Box): Promise<Box> {
  await box.press(/^(?:Reply|Continue your reply)$/);
  await box.until(() => composerOf(box)?.element.shadowRoot?.querySelector('textarea'), 'the composer');
  return composerOf(box)!;
}

describe('a reply', () => {
  for (const isSignedIn of [false, true]) {
    it(`that waits as a draft is named at its comment, also after a load, until it is deleted: ${isSignedIn ? 'signed in' : 'signed out'}`, async () => {
      const bff = new TestBff();
      if (isSignedIn) await bff.signIn();
      const attributes = { page: 'https://www.example.com/one' };
      const box = await openThread({ replies: true }, { bff, attributes });
      await (isSignedIn ? box.isSignedIn('Ada') : box.isSignedOut());
      const reply = await openReply(box);
      reply.write('not yet');
      await box.until(() => stored().includes('not yet'), 'the draft in storage');
      reply.field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }));
      await box.until(() => box.button('Continue your reply'), 'its name');
      box.element.remove();
      const again = await openThread({ replies: true }, { bff, attributes, tab: await openTab() });
      await again.until(() => again.button('Continue your reply') && !again.button('Reply'), 'its name in another document');
      await again.press('Continue your reply');
      await again.until(() => composerOf(again)?.element.shadowRoot?.querySelector('textarea')?.value === 'not yet', 'the draft');
      composerOf(again)!.write('');
      await again.press('Reply');
      await again.until(() => again.button('Reply') && !again.button('Continue your reply'), 'no draft');
    });
  }

  it('has a composer of its own, whose draft Escape keeps', async () => {
    const box = await openThread({ replies: true });
    const reply = await openReply(box);
    expect(box.part('heading')!.textContent.trim()).to.match(/^Comments/);
    await reply.hasFocusOn('Reply to Grace');
    reply.write('in between');
    reply.field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }));
    await box.until(() => !composerOf(box), 'the end of the composer');
    expect([box.field.value, stored().includes('in between')]).to.deep.equal(['', true]);
    await (await openReply(box)).hasText('in between');
  });

  for (const hasStorage of [true, false]) {
    it(`is posted with its parent, and stands in the thread${hasStorage ? '' : ', also without storage'}`, async () => {
      if (!hasStorage) refuseStorage();
      const bff = new TestBff();
      await bff.signIn();
      const box = await openThread({ replies: true }, { bff });
      await box.isSignedIn('Ada');
      const reply = await openReply(box);
      reply.write('I agree');
      await reply.press('Post reply');
      await box.says('Your reply is posted.');
      expect([composerOf(box), box.part('thread')!.shadowRoot!.textContent.includes('I agree')]).to.deep.equal([undefined, true]);
      expect((await bff.requests('POST /posts')).map(({ body }) => (body as { parent: string }).parent)).to.deep.equal(['7']);
      expect(box.details('posted').map((detail) => (detail as { parent: string }).parent)).to.deep.equal(['7']);
      expect(box.details('state')).to.have.length(1);
    });
  }
});

describe('a comment that waits for approval', () => {
  it('is said to wait, and is seen by its reader, after a reload too', async () => {
    const bff = new TestBff();
    await bff.set({ answers: { 'POST /posts': [{ json: { post: {}, listed: { state: 'pending' } }, status: 201 }] } });
    const box = await openSignedIn({ bff });
    await box.post('held');
    await box.says('Thank you. Your comment is waiting for approval.');
    box.element.remove();
    const again = await openSignedIn({ bff });
    await again.says('Only you see this until it is approved.');
    await again.press('Sign out');
    await again.isSignedOut();
    expect(again.words).not.to.contain('held');
  });
});

describe('an article that takes no comments', () => {
  it('says so before anybody writes, by attribute or by the list with its reason', async () => {
    const byAttribute = await openBox({ attributes: { closed: '' } });
    await byAttribute.says('Comments on this article are closed.');
    const byList = await openThread({ closed: 'Closed after a week.', replies: true });
    await byList.says('Closed after a week.');
    for (const box of [byAttribute, byList]) {
      expect([box.element.matches(':state(closed)'), box.field.checkVisibility(), box.offers(SIGN_IN), box.offers('Reply')])
        .to.deep.equal([true, false, false, false]);
    }
  });

  it('shows a reason of another script in its own direction', async () => {
    const box = await openThread({ closed: 'Closed after a week.' }, { attributes: { lang: 'ar' } });
    await box.says('Closed after a week.');
    const reason = box.part('closed')!.querySelector('bdi')!;
    expect([reason.textContent, getComputedStyle(reason).direction]).to.deep.equal(['Closed after a week.', 'ltr']);
  });

  it('moves the focus from the empty field, which disappears, to the notice', async () => {
    const bff = new TestBff();
    await bff.signIn();
    const box = await openThread({}, { bff });
    await box.isSignedIn('Ada');
    for (const control of [() => box.field, () => box.primary!]) {
      box.element.closed = false;
      await box.until(() => box.field.checkVisibility(), 'an open article');
      box.element.focus();
      await box.until(() => box.offers('Post comment'), 'an open composer');
      control().focus();
      box.element.closed = true;
      await box.hasFocusOn('Comments on this article are closed.');
    }
  });

  it('leaves a text that exists, which can be copied', async () => {
    const box = await openBox();
    box.write('too late');
    box.element.closed = true;
    await box.says('Comments on this article are closed.');
    expect([box.field.value, box.field.readOnly, box.field.checkVisibility()]).to.deep.equal(['too late', true, true]);
    box.pressKeys();
    expect(await box.bff.requests('POST /posts')).to.have.length(0);
  });
});

describe('the page', () => {
  it('may keep a text from being posted', async () => {
    const box = await openSignedIn();
    const seen: unknown[] = [];
    box.element.addEventListener('vestibule-before-post', (event) => {
      seen.push(event.detail);
      event.preventDefault();
    }, { once: true });
    await box.post('not like this');
    await box.until(() => seen.length === 1 && !box.field.readOnly, 'the event');
    expect([seen, box.field.value, await box.bff.requests('POST /posts')]).to.deep.equal([
      [{ message: 'not like this', parent: undefined }], 'not like this', [],
    ]);
    await box.post('like this');
    await box.says('Your comment is posted.');
  });

  it('gets no key that types in the box, but Tab, Escape and function keys', async () => {
    const box = await openBox();
    const heard: string[] = [];
    const hear = ({ key, type }: KeyboardEvent): unknown => heard.push(`${type} ${key}`);
    for (const type of ['keydown', 'keypress', 'keyup'] as const) document.addEventListener(type, hear);
    for (const key of ['/', 's', 'Enter', 'Backspace', 'ArrowUp', 'Tab', 'Escape', 'F6']) {
      for (const type of ['keydown', 'keypress', 'keyup']) {
        box.field.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, composed: true }));
      }
    }
    for (const type of ['keydown', 'keypress', 'keyup'] as const) document.removeEventListener(type, hear);
    expect(new Set(heard.map((line) => line.split(' ')[1]))).to.deep.equal(new Set(['Tab', 'Escape', 'F6']));
  });

  it('keeps true texts although a machine translates it', async () => {
    const box = await openBox();
    await box.isSignedOut();
    const walker = document.createTreeWalker(box.element.shadowRoot!, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts.filter(({ data }) => data.trim())) {
      const font = document.createElement('font');
      text.replaceWith(font);
      font.append(text);
    }
    await box.bff.signIn();
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await box.isSignedIn('Ada');
    box.element.focus();
    await box.until(() => box.offers('Post comment') && !box.offers(SIGN_IN), 'the button of a reader');
    box.element.lang = 'de';
    await box.says('Kommentar absenden');
    expect(box.words).to.contain('Kommentare').and.not.contain(FIELD);
  });
});
