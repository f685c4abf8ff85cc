import { expect } from '@open-wc/testing';
import { listenForSessionChanges } from '../../session/session-channel.ts';
import { until } from '../../_until.ts';
import { ScriptedBff } from './_scripted-bff.ts';
import {
  button, clearPage, completionUrl, focusOf, mountSync, outcome, reach, returnQuery, see, session, textOf, validating,
  type MountOptions,
} from './_sync-fixture.ts';

const finish = async (options: MountOptions = {}) => {
  const sync = await mountSync({ session: validating(), ...options });
  await reach(sync, 'Sign in to comment');
  button(sync, 'Continue as Ada Lovelace').click();
  return sync;
};

const answered = (answer: ReturnType<typeof outcome>): MountOptions => ({ answers: { 'POST /sync/validation': [answer] } });

describe('<vestibule-sync>, accepted', () => {
  afterEach(clearPage);

  it('fires the event, then replaces the page by the completion URL', async () => {
    const sync = await finish(answered(outcome('accepted')));
    await reach(sync, 'You are signed in');
    expect(sync.story).to.deep.equal([
      'state validating', 'state signed-in', `completed ${completionUrl}`, `replaced by ${completionUrl}`,
    ]);
  });

  it('lets a page that cancels the event navigate by itself', async () => {
    document.addEventListener('vestibule-completed', (event) => event.preventDefault(), { once: true });
    const sync = await finish(answered(outcome('accepted')));
    await reach(sync, 'You are signed in');
    expect(sync.story.at(-1)).to.equal(`completed ${completionUrl}`);
    expect(textOf(sync)).not.to.include('Continue manually');
  });

  it('navigates again if the browser has not left', async () => {
    const sync = await finish(answered(outcome('accepted')));
    await reach(sync, 'You are signed in');
    button(sync, 'Continue manually').click();
    expect(sync.story.filter((event) => event === `replaced by ${completionUrl}`).length).to.equal(2);
  });

  it('waits for the reader’s click where the page must not be left without it', async () => {
    const sync = await finish({ ...answered(outcome('accepted')), properties: { mayLeave: () => false } });
    await reach(sync, 'You are signed in');
    expect(sync.story).to.deep.equal(['state validating', 'state signed-in']);
    expect(textOf(sync)).not.to.include('Taking you back');
    button(sync, 'Continue').click();
    expect(sync.story.slice(2)).to.deep.equal([`completed ${completionUrl}`, `replaced by ${completionUrl}`]);
    await see(sync, 'Taking you back');
  });

  it('notifies the pages of this origin before it leaves', async () => {
    const life = new AbortController();
    const bff = new ScriptedBff();
    const source = { origins: [], isOwnWindow: () => false, signal: life.signal };
    const heard = new Promise<void>((resolve) => listenForSessionChanges(new URL(bff.url), source, () => resolve()));
    const sync = await finish({ ...answered(outcome('accepted')), bff });
    await heard;
    expect(sync.story).to.include('state signed-in');
    life.abort();
  });

  it('notifies the opener at a named origin, and no other', async () => {
    const heard: unknown[] = [];
    const listen = ({ data }: MessageEvent) => void heard.push(data);
    window.addEventListener('message', listen);
    const { opener } = window;
    window.opener = window;
    for (const openerOrigins of ['https://www.example.com *', `https://www.example.com ${location.origin}`]) {
      const sync = await finish({ ...answered(outcome('accepted')), properties: { openerOrigins } });
      await reach(sync, 'You are signed in');
      sync.element.remove();
    }
    await until(() => heard.length > 0, 'the message');
    expect(heard).to.deep.equal([{ vestibule: 'signed-in' }]);
    window.opener = opener;
    window.removeEventListener('message', listen);
  });

  it('keeps the completion URL out of the document, the address and every storage', async () => {
    const sync = await finish(answered(outcome('accepted')));
    await reach(sync, 'You are signed in');
    const places = [
      document.documentElement.outerHTML, sync.element.shadowRoot!.innerHTML, location.href, JSON.stringify(history.state),
      JSON.stringify(sessionStorage), JSON.stringify(localStorage), document.cookie,
    ];
    expect(places.join()).not.to.include('t0ken');
  });

  for (const hostile of ['javascript:alert(1)', 'data:text/html,x', 'blob:https://service.example/x', '/relative', '', undefined]) {
    it(`goes nowhere but to the web: ${hostile ?? 'no address'}`, async () => {
      const sync = await finish({ answers: { 'POST /sync/validation': [{ json: { outcome: 'accepted', completion_url: hostile } }] } });
      await reach(sync, 'The sign-in failed');
      expect(sync.story).to.deep.equal(['state validating', 'state signed-in', 'error urn:vestibule:bad-service-response']);
    });
  }
});

describe('<vestibule-sync>, rejected', () => {
  afterEach(clearPage);

  const reason = 'You must be <b>18</b> to comment here.';

  it('shows the reason until the reader continues', async () => {
    const sync = await finish(answered(outcome('rejected', { reason })));
    await reach(sync, 'This site did not accept the sign-in');
    expect(textOf(sync)).to.include(reason);
    expect(sync.story).to.deep.equal(['state validating', 'state anonymous']);
    expect(focusOf(sync)).to.equal('This site did not accept the sign-in');
  });

  it('navigates to the completion URL on the reader\'s click, once', async () => {
    const sync = await finish(answered(outcome('rejected', { reason })));
    await reach(sync, 'This site did not accept the sign-in');
    const goOn = button(sync, 'Continue');
    goOn.click();
    goOn.click();
    await see(sync, 'Taking you back…');
    expect(sync.story.slice(2)).to.deep.equal([`completed ${completionUrl}`, `replaced by ${completionUrl}`]);
  });

  it('shows a message without a reason', async () => {
    const sync = await finish(answered(outcome('rejected')));
    await see(sync, 'The site gave no reason.');
  });
});

describe('<vestibule-sync>, cancelled', () => {
  afterEach(clearPage);

  it('sends the cancellation and navigates to the completion URL', async () => {
    const sync = await mountSync({ session: validating(), answers: { 'POST /sync/cancel': [outcome('cancelled')] } });
    await reach(sync, 'Sign in to comment');
    button(sync, 'Not you? Cancel').click();
    await reach(sync, 'Sign-in cancelled');
    expect(await sync.bff.asked()).to.deep.equal(['GET /session', 'POST /sync/cancel']);
    expect(sync.story.slice(1)).to.deep.equal(['state anonymous', `completed ${completionUrl}`, `replaced by ${completionUrl}`]);
  });

  it('cancels once, however often the reader clicks', async () => {
    const sync = await mountSync({ session: validating(), answers: { 'POST /sync/cancel': [{ ...outcome('cancelled'), hold: 'cancel' }] } });
    await reach(sync, 'Sign in to comment');
    const cancel = button(sync, 'Not you? Cancel');
    cancel.click();
    cancel.click();
    await see(sync, 'Cancelling…');
    button(sync, 'Continue as Ada Lovelace').click();
    await sync.bff.release('cancel');
    await reach(sync, 'Sign-in cancelled');
    expect(await sync.bff.asked()).to.deep.equal(['GET /session', 'POST /sync/cancel']);
  });

  it('stays if the cancellation fails', async () => {
    const sync = await mountSync({ session: validating(), answers: { 'POST /sync/cancel': [{ problem: 'service-unavailable' }] } });
    await reach(sync, 'Sign in to comment');
    button(sync, 'Not you? Cancel').click();
    await see(sync, 'not available right now');
    button(sync, 'Not you? Cancel').click();
    await reach(sync, 'Sign-in cancelled');
  });

  for (const problem of ['no-sync-in-progress', 'outcome-unknown', 'service-refused', 'user-mismatch'] as const) {
    it(`is over for the reader all the same: ${problem}`, async () => {
      const sync = await mountSync({ session: validating(), answers: { 'POST /sync/cancel': [{ problem }] } });
      await reach(sync, 'Sign in to comment');
      await sync.bff.script({ session: session('anonymous') });
      button(sync, 'Not you? Cancel').click();
      await reach(sync, 'Sign-in cancelled');
      expect(textOf(sync)).to.include('You are not signed in.');
      expect(sync.story).to.deep.equal(['state validating']);
    });
  }
});

describe('<vestibule-sync>, cancelled too late', () => {
  afterEach(clearPage);

  it('says that the reader is signed in', async () => {
    const sync = await mountSync({ session: validating(), answers: { 'POST /sync/cancel': [{ problem: 'no-sync-in-progress' }] } });
    await reach(sync, 'Sign in to comment');
    await sync.bff.script({ session: session('signed-in') });
    button(sync, 'Not you? Cancel').click();
    await reach(sync, 'You are signed in');
    expect(sync.story).to.deep.equal(['state validating', 'state signed-in']);
  });
});

describe('<vestibule-sync>, exits', () => {
  afterEach(clearPage);

  it('closes a window with an opener, and shows a message if the browser keeps it open', async () => {
    const { opener } = window;
    window.opener = window;
    const sync = await mountSync({ search: '?error=access_denied' });
    button(sync, 'Close this window').click();
    await see(sync, 'Your browser kept this window open.');
    expect(sync.story).to.deep.equal(['closed']);
    window.opener = opener;
  });

  it('links to the site without an opener', async () => {
    const sync = await mountSync({ search: '?error=access_denied' });
    expect(button(sync, `Go to ${location.host}`).getAttribute('href')).to.equal(`${location.origin}/`);
  });

  it('shows the page\'s own link', async () => {
    const sync = await mountSync({ session: session('anonymous') });
    sync.element.innerHTML = '<a slot="back" href="/article">Back to the article</a>';
    await reach(sync, 'Nothing to do here');
    expect(sync.element.querySelector('a')!.assignedSlot).to.be.instanceOf(HTMLSlotElement);
    expect(sync.element.querySelector('a')!.offsetHeight).to.be.above(0);
  });

  it('does not navigate before the reader continues', async () => {
    const sync = await mountSync({ search: returnQuery });
    expect(sync.story).to.deep.equal([]);
  });
});
