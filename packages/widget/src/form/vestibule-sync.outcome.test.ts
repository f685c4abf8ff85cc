/** `<vestibule-sync>`, how it ends: accepted, rejected, cancelled; and the ways out. */

import { expect } from '@open-wc/testing';
import { until } from '../../../../test/lib/until.ts';
import { TestBff } from '../_bff.ts';
import { fillStorage, openBox, replace, stored } from '../box/_box.ts';
import { completionUrl, finish, openForm, openQuestions, outcome, returnQuery, session, validating, validation, type Form } from './_sync-fixture.ts';

const site = `Go to ${location.host}`;

const cancels = async (form: Form): Promise<void> => form.press('Not you? Cancel');

describe('<vestibule-sync>, accepted', () => {
  it('fires the event, then replaces the page by the completion URL, and again if the browser has not left', async () => {
    const form = await finish(validation(outcome('accepted')));
    await form.reaches('You are signed in');
    expect(form.story).to.deep.equal(['state validating', 'state signed-in', `completed ${completionUrl}`, `replaced by ${completionUrl}`]);
    await form.press('Continue manually');
    expect(form.story.slice(4)).to.deep.equal([`completed ${completionUrl}`, `replaced by ${completionUrl}`]);
  });

  it('lets a page that cancels the event navigate by itself', async () => {
    document.addEventListener('vestibule-completed', (event) => event.preventDefault(), { once: true });
    const form = await finish(validation(outcome('accepted')));
    await form.reaches('You are signed in');
    expect([form.story.at(-1), form.button('Continue manually')]).to.deep.equal([`completed ${completionUrl}`, undefined]);
  });

  it('waits for the reader’s click in a box whose text the browser cannot keep', async () => {
    const bff = new TestBff();
    await bff.set({ session: validating(), ...validation(outcome('accepted')) });
    fillStorage();
    const box = await openBox({ bff, attributes: { sync: 'inline' } });
    box.write('unkept');
    await box.press('Continue as Ada Lovelace');
    await box.says('You are signed in');
    expect(box.details('completed')).to.deep.equal([]);
    box.element.addEventListener('vestibule-completed', (event) => event.preventDefault());
    await box.press('Continue');
    expect(box.details('completed')).to.deep.equal([{ completionUrl }]);
  });

  it('signs in the boxes of this origin, and lets boxes to come know it; a rejection does not', async () => {
    for (const name of ['accepted', 'rejected'] as const) {
      const bff = new TestBff();
      const box = await openBox({ bff });
      await box.isSignedOut();
      const form = await finish({ bff, ...validation({ ...outcome(name), session: session(name === 'accepted' ? 'signed-in' : 'anonymous') }) });
      await form.says(name === 'accepted' ? 'You are signed in' : 'did not accept');
      if (name === 'accepted') await box.isSignedIn('Ada Lovelace');
      else await box.isSignedOut();
      box.element.remove();
      const next = await openBox({ bff, untouched: true });
      if (name === 'accepted') await next.isSignedIn('Ada Lovelace');
      else expect(next.words).to.contain('Sign in to comment');
      next.element.remove();
    }
  });

  it('tells the opener at a named origin, and no other', async () => {
    const heard: unknown[] = [];
    const listen = ({ data }: MessageEvent) => void heard.push(data);
    addEventListener('message', listen);
    replace(window, { opener: window });
    for (const origins of ['https://www.example.com *', `https://www.example.com ${location.origin}`]) {
      const form = await finish({ ...validation(outcome('accepted')), attributes: { 'opener-origins': origins } });
      await form.reaches('You are signed in');
    }
    await until('the message', () => heard.length > 0);
    expect(heard).to.deep.equal([{ vestibule: 'signed-in', instance: undefined, account: '42' }]);
    removeEventListener('message', listen);
  });

  it('keeps the completion URL out of the document, the address and every storage', async () => {
    const form = await finish(validation(outcome('accepted')));
    await form.reaches('You are signed in');
    const places = [document.documentElement.outerHTML, form.element.shadowRoot!.innerHTML, document.cookie, stored()];
    expect([...places, location.href, JSON.stringify(history.state)].join()).not.to.include('t0ken');
  });

  for (const completion_url of ['javascript:void(0)', 'data:text/html,x', 'blob:https://service.example/x', 'xhttps://service.example/', '/relative', '', undefined]) {
    it(`goes nowhere but to the web: ${completion_url ?? 'no address'}`, async () => {
      const form = await finish(validation(outcome('accepted', { completion_url })));
      await form.reaches('The sign-in did not work');
      expect(form.story).to.deep.equal(['state validating', 'state signed-in', 'error bad-service-response']);
    });
  }
});

describe('<vestibule-sync>, rejected', () => {
  const reason = 'You must be <b>18</b> to comment here.';

  for (const [given, shown] of [[{ reason }, reason], [{}, 'You are not signed in.'], [{ reason: ' ' }, 'You are not signed in.']] as const) {
    it(`shows “${shown}” until the reader continues, once, to the completion URL`, async () => {
      const form = await finish(validation(outcome('rejected', given)));
      await form.reaches('The Courier did not accept the sign-in');
      expect([form.words.includes(shown), form.all('b').length]).to.deep.equal([true, 0]);
      expect(form.story).to.deep.equal(['state validating', 'state anonymous']);
      await form.hasFocusOn('The Courier did not accept the sign-in');
      const goOn = form.button('Continue')!;
      goOn.click();
      goOn.click();
      await form.says('Taking you back…');
      expect(form.story.slice(2)).to.deep.equal([`completed ${completionUrl}`, `replaced by ${completionUrl}`]);
    });
  }
});

describe('<vestibule-sync>, what its status says', () => {
  const town = { name: 'town', type: 'text', label: 'Town', required: false } as const;

  it('is each outcome once, in one text node that lasts, after the step is drawn', async () => {
    const form = await openQuestions([town], validation({ problem: 'no-sync-in-progress' }, outcome('rejected', { reason: 'You must be 18.' })));
    const status = form.role('status');
    const log: string[] = [];
    const watch = new MutationObserver(() => /[^…]$/.test(status.textContent) && log.push(`${form.heading}: ${status.textContent}`));
    watch.observe(status, { childList: true, characterData: true, subtree: true });
    await form.press('Continue as Ada Lovelace');
    await form.until(() => status.textContent.startsWith('Before you comment'), 'the session again');
    const { firstChild } = status;
    await form.press('Continue as Ada Lovelace');
    await form.until(() => status.textContent.includes('You must be 18.'), 'the outcome');
    expect(log).to.deep.equal([
      'Before you comment: Before you comment. Signing in as Ada Lovelace. The Courier asks everyone who wants to comment:',
      'The Courier did not accept the sign-in: The Courier did not accept the sign-in. You must be 18.',
    ]);
    expect([form.role('status') === status, status.firstChild === firstChild, status.childNodes.length]).to.deep.equal([true, true, 1]);
    watch.disconnect();
  });

  it('is the way back once the reader continues, without the outcome a second time', async () => {
    const form = await finish(validation(outcome('rejected', { reason: 'You must be 18.' })));
    await form.press('Continue');
    await form.until(() => form.role('status').textContent === 'Taking you back…', 'the way back');
  });

  it('is nothing where the form loads with its page, whose heading has the focus', async () => {
    replace(window, { opener: window });
    const form = await openForm({ session: session('anonymous', { notice: { id: 'n', kind: 'rejected', reason: 'You must be 18.' } }) });
    await form.hasFocusOn('The Courier did not accept the sign-in');
    expect(form.role('status').textContent).to.equal('');
  });
});

describe('<vestibule-sync>, rejected in the sign-in window', () => {
  it('says on its button that the window closes, which the service does', async () => {
    replace(window, { opener: window });
    const form = await finish(validation(outcome('rejected', { reason: 'You must be 18.' })));
    await form.press('Close this window');
    await form.says('Taking you back…');
    expect(form.story.at(-1)).to.equal(`replaced by ${completionUrl}`);
  });

  it('shows the publisher’s reason after a reload too', async () => {
    const form = await openForm({ session: session('anonymous', { notice: { id: 'n', kind: 'rejected', reason: 'You must be 18.' } }) });
    await form.says('You must be 18.');
    expect(form.words).not.to.contain('You are not signed in.');
  });
});

describe('<vestibule-sync>, cancelled', () => {
  it('cancels once, however often the reader clicks, and navigates to the completion URL', async () => {
    const form = await openQuestions([], { answers: { 'POST /sync/cancel': [{ ...outcome('cancelled'), hold: 'cancel' }] } });
    await cancels(form);
    await form.press('Cancelling…');
    await form.press('Continue as Ada Lovelace');
    await form.bff.release('cancel');
    await form.reaches('Sign-in cancelled');
    expect(await form.asked()).to.deep.equal(['GET /session', 'POST /sync/cancel']);
    expect(form.story.slice(1)).to.deep.equal(['state anonymous', `completed ${completionUrl}`, `replaced by ${completionUrl}`]);
  });

  it('stays if the cancellation fails', async () => {
    const form = await openQuestions([], { answers: { 'POST /sync/cancel': [{ problem: 'service-unavailable' }] } });
    await cancels(form);
    await form.says('not available right now');
    await cancels(form);
    await form.reaches('Sign-in cancelled');
  });

  for (const [problem, state, heading] of [
    ['no-sync-in-progress', 'anonymous', 'Sign-in cancelled'],
    ['outcome-unknown', 'anonymous', 'Sign-in cancelled'],
    ['service-refused', 'anonymous', 'Sign-in cancelled'],
    ['no-sync-in-progress', 'signed-in', 'You are signed in'],
  ] as const) {
    it(`says “${heading}” of a sign-in that is over, ${state}: ${problem}`, async () => {
      const form = await openQuestions([], { answers: { 'POST /sync/cancel': [{ problem }] } });
      await form.bff.set({ session: session(state) });
      await cancels(form);
      await form.reaches(heading);
      expect(form.story).to.deep.equal(['state validating', ...state === 'signed-in' ? ['state signed-in'] : []]);
    });
  }
});

describe('<vestibule-sync>, its ways out', () => {
  it('close the window of a sign-in that was denied, cancelled or granted before, at the reader’s press', async () => {
    for (const [search, words] of [
      ['?error=access_denied', 'You did not allow access'], [returnQuery, 'Sign-in cancelled'], ['?success=1', 'You allowed this before'],
    ] as const) {
      replace(window, { opener: window });
      const form = await openForm({ search });
      if (search === returnQuery) await cancels(form);
      await form.reaches(words);
      expect(form.story).to.deep.equal([]);
      expect([form.story, form.button(site)]).to.deep.equal([[], undefined]);
      await form.press('Close this window');
      await form.says('Your browser kept this window open.');
      expect(form.story).to.deep.equal(['closed']);
      form.element.remove();
    }
    replace(window, { opener: null });
    const form = await openForm({ search: '?error=access_denied' });
    expect(form.button('Close this window')).to.equal(undefined);
  });

  for (const [attributes, shown] of [
    [{}, [[site, `${location.origin}/`]]],
    [{ 'opener-origins': ' https://www.example.com\nhttps://m.example.com' }, [['Close this window'], ['Go to www.example.com', 'https://www.example.com/']]],
    [{ 'opener-origins': 'javascript:alert(1)' }, [['Close this window']]],
  ] as const) {
    it(`are those of its page without an opener: ${JSON.stringify(attributes)}`, async () => {
      const form = await openForm({ search: '?error=access_denied', attributes });
      const ways = form.all<HTMLAnchorElement>('button, a').map(({ textContent, href }) => [textContent.trim(), ...href ? [href] : []]);
      expect(ways).to.deep.equal(shown);
    });
  }

  it('have the page’s own link', async () => {
    const form = await openForm({ session: session('anonymous') });
    form.element.innerHTML = '<a slot="back" href="/article">Back to the article</a>';
    await form.reaches('Nothing to do here');
    expect(form.element.querySelector('a')!.checkVisibility()).to.equal(true);
  });

  const returnTo = `${location.origin}${location.pathname}`;
  const long = 'q'.repeat(1_500);
  for (const [attributes, query, ofPage = ''] of [
    [{ forum: 'news' }, { forum: 'news', return_to: returnTo, display: 'page' }],
    [{ forum: 'news' }, { forum: 'news', return_to: `${returnTo}?id=7`, display: 'page' }, `&id=7&utm_source=${long}`],
    [{ forum: 'news' }, undefined, `&id=${long}`],
    [{ forum: 'news', 'opener-origins': 'https://www.example.com' }, { forum: 'news', return_to: 'https://www.example.com/', display: 'popup' }],
    [{}, undefined],
  ] as const) {
    it(`start the sign-in again where the forum is known and the BFF leads back: ${JSON.stringify(attributes)}, ${ofPage.slice(0, 20)}`, async () => {
      const form = await openForm({ search: returnQuery + ofPage, attributes, answers: { 'POST /sync': [{ problem: 'user-mismatch' }] } });
      await form.press('Continue as Ada Lovelace');
      await form.reaches('The sign-in did not work');
      if (!query) return expect(form.button('Sign in again')?.textContent).to.equal(undefined);
      await form.press('Sign in again');
      const place = new URL(form.story.at(-1)!.replace('gone to ', ''));
      expect([place.pathname, Object.fromEntries(place.searchParams)]).to.deep.equal([new URL('sync/authorize', form.bff.url).pathname, query]);
    });
  }
});
