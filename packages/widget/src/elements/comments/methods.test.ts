import { expect } from '@open-wc/testing';
import { sendMouse } from '@web/test-runner-commands';
import { openBox, openSignedIn } from './_box.ts';

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

describe('the methods of the comment box', () => {
  it('signOut() ends the session, fires the event, and resolves when it has ended', async () => {
    const box = await openSignedIn();
    await box.element.signOut();
    expect(box.details('state')).to.deep.equal([{ state: 'signed-in' }, { state: 'anonymous' }]);
    expect(await box.bff.requests('DELETE /session')).to.have.length(1);
    await box.isSignedOut();
  });

  it('signOut() resolves after a failure as well, with an event and a message', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'DELETE /session': [{ problem: 'service-unavailable' }] } });
    await box.element.signOut();
    expect(box.details('error')).to.have.length(1);
    await box.until(() => box.alert.includes('not available'), 'an alert');
    expect(box.button('Sign out')).to.not.equal(undefined);
  });

  it('signOut() twice sends one request and fires the event once', async () => {
    const box = await openSignedIn();
    await Promise.all([box.element.signOut(), box.element.signOut()]);
    expect(await box.bff.requests('DELETE /session')).to.have.length(1);
    expect(box.details('state')).to.deep.equal([{ state: 'signed-in' }, { state: 'anonymous' }]);
    await box.says('You are signed out.');
    await box.bff.signIn();
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await box.isSignedIn();
    await box.element.signOut();
    expect(await box.bff.requests('DELETE /session')).to.have.length(2);
  });

  it('signIn() leaves the question whether a comment was posted, and focuses it', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'outcome-unknown' }] } });
    box.write('perhaps');
    await box.press('Post comment');
    await box.until(() => box.button('I can see it'), 'the question');
    const { open } = window;
    let opened = 0;
    window.open = () => {
      opened += 1;
      return null;
    };
    try {
      box.element.signIn();
      await box.element.updateComplete;
      expect(opened).to.equal(0);
      expect(box.element.shadowRoot!.activeElement === box.button('I can see it'), 'the focus on the question').to.equal(true);
    } finally {
      window.open = open;
    }
  });

  it('signIn() opens the window in a click on a button of the page', async () => {
    const box = await openBox();
    await box.isSignedOut();
    const opened: { readonly url: string; readonly window: Window | null }[] = [];
    const openWindow = window.open;
    window.open = (url, ...rest) => {
      const popup = openWindow.call(window, url, ...rest);
      opened.push({ url: String(url), window: popup });
      return popup;
    };
    const button = document.createElement('button');
    button.textContent = 'A button of the page’s';
    button.addEventListener('click', () => { box.element.signIn(); });
    box.element.before(button);
    try {
      button.scrollIntoView();
      const { x, y, width, height } = button.getBoundingClientRect();
      await sendMouse({ type: 'click', position: [Math.round(x + width / 2), Math.round(y + height / 2)] });
      await box.says('Finish signing in in the other window.');
      expect(opened).to.have.length(1);
      expect(opened[0]?.url).to.contain('/sync/authorize?');
    } finally {
      window.open = openWindow;
      for (const { window: popup } of opened) popup?.close();
      button.remove();
    }
  });

  it('focus() focuses the field of a box that is not rendered yet', async () => {
    const element = document.createElement('vestibule-comments');
    document.body.append(element);
    try {
      element.focus();
      await element.updateComplete;
      await Promise.resolve();
      expect(element.shadowRoot!.activeElement).to.equal(element.field);
    } finally {
      element.remove();
    }
  });

  it('focus() focuses the field', async () => {
    const box = await openBox();
    box.element.focus();
    expect(document.activeElement).to.equal(box.element);
    expect(box.element.shadowRoot!.activeElement).to.equal(box.field);
  });
});
