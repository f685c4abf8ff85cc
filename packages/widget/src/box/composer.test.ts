/** The composer: one line at rest, which a focus, a text or a press opens; and the menu of the account. */

import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { TestBff } from '../_bff.ts';
import { FIELD, openBox, openSignedIn, recordWindows, replace, signedInBefore, SIGN_IN, type Box } from './_box.ts';

/** A box as wide as on a phone, or another width in pixels. */
async function openAt(open: () => Promise<Box>, width = 358): Promise<Box> {
  const box = await open();
  box.element.parentElement!.style.inlineSize = `${width}px`;
  await box.element.updateComplete;
  return box;
}

const signedOut = async (): Promise<Box> => {
  const box = await openBox();
  await box.isSignedOut();
  return box;
};

const readers: Readonly<Record<string, () => Promise<Box>>> = { 'signed out': signedOut, 'signed in': () => openSignedIn() };

function frameOf(box: Box): DOMRect {
  return box.part('frame')!.getBoundingClientRect();
}

describe('the composer', () => {
  for (const [name, open] of Object.entries(readers)) {
    it(`has 112 pixels at most on a phone, is one line in a column, and opens with the focus: ${name}`, async () => {
      for (const [width, most] of [[288, 112], [358, 112], [700, 56]] as const) {
        const box = await openAt(open, width);
        const { height } = frameOf(box);
        expect(height, `at ${width}`).to.be.at.most(most);
        const { top } = frameOf(box);
        box.element.focus({ preventScroll: true });
        await box.until(() => frameOf(box).height > height + 30, 'three lines');
        expect([frameOf(box).top, box.primary !== undefined]).to.deep.equal([top, true]);
        expect(box.element.scrollWidth).to.be.at.most(width);
        box.element.remove();
      }
    });
  }

  it('is filled with a text or a sign-in to do, and quiet where there is nothing to post', async () => {
    const isFilled = (box: Box): boolean => getComputedStyle(box.primary!).backgroundColor !== 'rgba(0, 0, 0, 0)';
    for (const [open, isSignedIn] of [[signedOut, false], [() => openSignedIn(), true]] as const) {
      const box = await open();
      box.element.focus();
      await box.until(() => box.primary, 'the main button');
      expect(isFilled(box)).to.equal(!isSignedIn);
      box.write('abc');
      expect(isFilled(box)).to.equal(true);
      box.element.remove();
    }
  });

  it('shows a status at rest over the field, whose height stays', async () => {
    for (const width of [288, 700]) {
      const box = await openAt(signedOut, width);
      const { height } = frameOf(box);
      await box.bff.set({ answers: { 'GET /session': [{ problem: 'service-unavailable', headers: { 'Retry-After': '60' } }] } });
      box.element.box!.refreshSession();
      await box.until(() => box.status !== '', 'a status');
      const status = box.part('status')!.getBoundingClientRect();
      const field = box.field.getBoundingClientRect();
      expect([frameOf(box).height, status.left >= field.left, status.right <= field.right, status.height <= field.height])
        .to.deep.equal([height, true, true, true]);
      expect(status.width).to.be.greaterThan(100);
      box.element.remove();
    }
  });

  it('opens for a text that comes without a focus', async () => {
    const box = await openSignedIn();
    expect(box.primary).to.equal(undefined);
    box.write('x');
    expect(box.primary).not.to.equal(undefined);
  });

  it('does not lose the press of the main button at rest', async () => {
    const box = await signedOut();
    let opened = 0;
    window.open = () => {
      opened += 1;
      return null;
    };
    await box.click(SIGN_IN);
    await box.until(() => opened === 1, 'the window');
  });

  for (const width of [288, 358]) {
    it(`has its main button also after a session that ends at rest on a phone, in the same height: ${width}`, async () => {
      const bff = await signedInBefore();
      const box = await openAt(async () => {
        const one = await openBox({ bff });
        await one.isSignedIn('Ada');
        return one;
      }, width);
      const { height } = frameOf(box);
      await bff.setSession({});
      box.element.box!.refreshSession();
      await box.isSignedOut();
      await box.element.updateComplete;
      const [field, button, frame] = [box.field.getBoundingClientRect(), box.primary!.getBoundingClientRect(), frameOf(box)];
      expect([frame.height, field.right <= button.left, button.right <= frame.right]).to.deep.equal([height, true, true]);
    });

    it(`offers to cancel a sign-in that was begun at rest, in the same height: ${width}`, async () => {
      const box = await openAt(signedOut, width);
      const { height } = frameOf(box);
      recordWindows();
      box.element.signIn();
      await box.says('Continue in the sign-in window.');
      const [cancel, button, frame] = [box.button('Cancel')!.getBoundingClientRect(), box.primary!.getBoundingClientRect(), frameOf(box)];
      expect([frame.height, cancel.bottom <= button.top, cancel.right <= frame.right]).to.deep.equal([height, true, true]);
      await box.click('Cancel');
      await box.until(() => !box.offers('Cancel'), 'no wait');
    });
  }

  it('is at rest again after a post, without a focus', async () => {
    const box = await openSignedIn();
    const { height } = frameOf(box);
    await box.post('hello');
    await box.says('Your comment is posted.');
    box.field.blur();
    await box.until(() => frameOf(box).height === height, 'one line');
  });

  it('is at rest after a post by touch, and does not open the keyboard again', async () => {
    const { matchMedia } = window;
    replace(window, { matchMedia: (query: string) => query === '(pointer: coarse)' ? { matches: true } : matchMedia.call(window, query) });
    const bff = await signedInBefore();
    const box = await openAt(async () => {
      const one = await openBox({ bff });
      await one.isSignedIn('Ada');
      return one;
    });
    const { height } = frameOf(box);
    box.write('hello');
    await box.until(() => box.primary, 'the main button');
    box.primary!.focus();
    let focused = 0;
    box.field.addEventListener('focus', () => { focused += 1; });
    box.primary!.click();
    await box.says('Your comment is posted.');
    expect([frameOf(box).height, focused]).to.deep.equal([height, 0]);
  });
});

describe('the menu of the account', () => {
  it('has the focus, and gives it back with Escape', async () => {
    const box = await openSignedIn();
    box.element.focus();
    box.write('x');
    box.part('account')!.focus();
    await sendKeys({ press: 'Enter' });
    await box.hasFocusOn('Sign out');
    await sendKeys({ press: 'Escape' });
    await box.until(() => !box.button('Sign out')!.checkVisibility(), 'no menu');
    expect(box.focus).to.contain('Commenting as Ada');
  });

  it('opens below its button, at rest and in use', async () => {
    const box = await openAt(() => openSignedIn(), 600);
    for (const isOpen of [false, true]) {
      if (isOpen) box.element.focus();
      await box.element.updateComplete;
      const account = box.part('account')!;
      account.click();
      const [at, menu, frame] = [account.getBoundingClientRect(), box.part('menu')!.getBoundingClientRect(), frameOf(box)];
      expect([menu.left <= at.right, menu.right >= at.left, menu.right <= frame.right + 1, Math.round(menu.top - at.bottom)])
        .to.deep.equal([true, true, true, 0]);
      account.click();
    }
  });

  it('cuts a long name beside the field and in the row', async () => {
    const bff = new TestBff();
    await bff.signIn({ user_id: '42', username: 'Wolfeschlegelstein'.repeat(6) });
    const box = await openAt(() => openSignedInAs(bff));
    for (const isOpen of [false, true]) {
      if (isOpen) box.element.focus();
      await box.element.updateComplete;
      const { left, right } = box.part('account')!.getBoundingClientRect();
      const frame = frameOf(box);
      expect([left >= frame.left, right <= frame.right, box.element.scrollWidth <= 358]).to.deep.equal([true, true, true]);
    }
  });

  it('cuts a long name at its end, also where the page is written from right to left', async () => {
    const bff = new TestBff();
    await bff.signIn({ user_id: '42', username: 'Wolfeschlegelstein'.repeat(6) });
    const box = await openAt(() => openSignedInAs(bff));
    box.element.lang = 'ar';
    await box.until(() => box.part('heading')!.lang === 'ar', 'Arabic');
    const name = box.part('account')!.querySelector('.name')!;
    const range = document.createRange();
    range.selectNodeContents(name);
    const [seen, whole] = [name.getBoundingClientRect(), range.getBoundingClientRect()];
    expect([whole.width > seen.width, Math.round(whole.left - seen.left)]).to.deep.equal([true, 0]);
  });

  it('keeps the text by default where the sign-out would delete it', async () => {
    const box = await openSignedIn();
    box.write('kept');
    box.part('account')!.focus();
    await sendKeys({ press: 'Enter' });
    await box.hasFocusOn('Sign out');
    await sendKeys({ press: 'Enter' });
    await box.hasFocusOn('Stay signed in');
    await sendKeys({ press: 'Escape' });
    await box.until(() => !box.part('panel'), 'no question');
    expect(box.all('.menu').map((menu) => menu.matches(':popover-open'))).to.deep.equal([false]);
    expect([box.field.value, box.part('account') !== undefined]).to.deep.equal(['kept', true]);
    await box.until(() => box.focus !== 'elsewhere', `the focus in the box, such as “${FIELD}”`);
  });
});

async function openSignedInAs(bff: TestBff): Promise<Box> {
  const box = await openBox({ bff });
  await box.isSignedIn('Wolfeschlegelstein');
  return box;
}
