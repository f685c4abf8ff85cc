/** `<vestibule-sync>`, how it begins: by a return in the page's address, or by the session. */

import { expect } from '@open-wc/testing';
import { until } from '../../../../test/lib/until.ts';
import { TestBff } from '../_bff.ts';
import { goTo, openBox, openTab, replace, Seen } from '../box/_box.ts';
import { offer, openForm, returnQuery, session, syncReturn, validating } from './_sync-fixture.ts';

const town = { name: 'town', type: 'text', label: 'Town', required: true } as const;
const form = { fields: [town] };

describe('<vestibule-sync> with a return in the address', () => {
  it('removes the return from address and history at once, and nothing else', async () => {
    const entries = history.length;
    await openForm({ search: `?page=2&${returnQuery.slice(1)}&q=a%20b&empty=&%zz#comments` });
    expect([location.search + location.hash, history.length]).to.deep.equal(['?page=2&q=a%20b&empty=&%zz#comments', entries]);
  });

  it('shows who would be signed in, and neither sends anything nor fires an event before the reader continues', async () => {
    const sync = await openForm({ search: returnQuery });
    expect(sync.heading).to.equal('Sign in to comment');
    expect(sync.part('account')!.textContent).to.include('Ada Lovelace');
    expect(sync.part('primary-button')!.textContent.trim()).to.equal('Continue as Ada Lovelace');
    await sync.press('Not you? Cancel');
    await sync.reaches('Sign-in cancelled');
    expect([await sync.asked(), sync.story]).to.deep.equal([[], []]);
  });

  for (const [search, heading] of [[returnQuery, 'Sign in to comment'], ['?error=access_denied', 'You did not allow access']] as const) {
    it(`has the focus, for which the reader has come back: ${heading}`, async () => {
      const sync = await openForm({ search });
      await sync.hasFocusOn(heading);
      expect(sync.role('status').textContent).to.equal('');
    });
  }

  it('leaves the focus in a field of the page', async () => {
    const field = document.body.appendChild(document.createElement('input'));
    field.focus();
    const sync = await openForm({ search: returnQuery });
    await sync.element.updateComplete;
    expect(document.activeElement === field).to.equal(true);
    field.remove();
  });

  for (const attributes of [{ forum: 'news' }, {}]) {
    it(`sends the return once when the reader continues, then asks the questions: ${JSON.stringify(attributes)}`, async () => {
      const sync = await openForm({ search: returnQuery, form, attributes, answers: { 'POST /sync': [{ hold: 'start' }] } });
      await sync.press('Continue as Ada Lovelace');
      await sync.press('Signing in…');
      await sync.press('Not you? Cancel');
      await sync.bff.release('start');
      await sync.reaches('Before you comment');
      expect([await sync.asked(), await sync.sent()]).to.deep.equal([['POST /sync'], [{ ...syncReturn, ...attributes }]]);
      expect(sync.story).to.deep.equal(['state validating']);
    });
  }

  for (const [fields, post, label, wait] of [
    [[], undefined, 'Continue as Ada Lovelace', 'Signing in…'], [[], true, 'Continue as Ada Lovelace and post', 'Signing in…'],
    [[town], undefined, 'Continue as Ada Lovelace', 'Checking your answers…'],
    [[town], true, 'Continue as Ada Lovelace and post', 'Checking your answers…'],
  ] as const) {
    it(`says what its button does: ${fields.length} questions, ${post ? 'a comment waits' : 'no comment waits'}`, async () => {
      replace(window, { opener: window });
      const sync = await openForm({
        session: session('validating', { sync: offer(fields, post && { post }) }), answers: { 'POST /sync/validation': [{ hold: 'answer' }] },
      });
      await sync.until(() => sync.part('primary-button'), 'the button');
      expect(sync.part('primary-button')!.textContent.trim()).to.equal(label);
      if (fields.length > 0) sync.answer('Town', 'Bath');
      await sync.press(label);
      await sync.until(() => sync.part('primary-button')!.textContent.trim() === wait, wait);
      await sync.bff.release('answer');
      await sync.reaches('You are signed in');
    });
  }

  it('does not say that it posts where the opener is cut: no message reaches the box', async () => {
    replace(window, { opener: null });
    const sync = await openForm({ session: session('validating', { sync: offer([], { post: true }) }) });
    await sync.until(() => sync.part('primary-button'), 'the button');
    expect(sync.part('primary-button')!.textContent.trim()).to.equal('Continue as Ada Lovelace');
  });

  it('finishes without questions by the same click', async () => {
    const sync = await openForm({ search: returnQuery });
    await sync.press('Continue as Ada Lovelace');
    await sync.reaches('You are signed in');
    expect(await sync.sent()).to.deep.equal([syncReturn, { sync: 'sync-1', username: 'Ada Lovelace', answers: {} }]);
  });

  for (const [username, shown] of [
    ['<img src=x onerror=alert(1)>\u202e gnihsihp', '<img src=x onerror=alert(1)>\u202e gnihsihp'], ['\u200b\u2800', '42'], ['W'.repeat(255), 'W'.repeat(255)],
  ] as const) {
    it(`shows a name as text with a direction of its own, within the form: ${JSON.stringify(username.slice(0, 30))}`, async () => {
      const sync = await openForm({ search: `?${new URLSearchParams({ ...syncReturn, username })}` });
      const names = sync.all('bdi').filter(({ textContent }) => textContent === shown);
      expect([names.length, sync.all('img').length]).to.deep.equal([2, 0]);
      expect(sync.part('primary-button')!.textContent.trim()).to.equal(`Continue as ${shown}`);
      expect(sync.element.scrollWidth).to.be.at.most(sync.element.clientWidth);
      expect(sync.element.offsetHeight).to.be.below(700);
    });
  }

  for (const [search, heading] of [
    ['?error=access_denied&error_description=secret', 'You did not allow access'],
    ['?error=access_denied&a[b]=%E0%A4%A', 'You did not allow access'],
    [`${returnQuery}&error=access_denied`, 'You did not allow access'],
    ['?success=1', 'You allowed this before'],
    [`${returnQuery}&user_id=43`, 'This sign-in link is incomplete'],
    [`${returnQuery}&c%6Fde=other`, 'This sign-in link is incomplete'],
    [returnQuery.replace('user_id=42', 'user_id='), 'This sign-in link is incomplete'],
  ] as const) {
    it(`says “${heading}”, shows nothing of the address and sends nothing: ${search.replace(returnQuery, '?…')}`, async () => {
      const sync = await openForm({ search });
      expect(sync.heading).to.equal(heading);
      expect(sync.words).not.to.match(/access_denied|secret|script/);
      expect(location.search).not.to.match(/code|user|uri|error=|success/i);
      expect(await sync.asked()).to.deep.equal([]);
    });
  }

  for (const [when, code, rewrite] of [
    ['as it is', `a+b/c== &%2Bd%252F${'+/=%'.repeat(512)}`, (href: string) => href],
    ['after a router has decoded it', 'a+b/c== &100%', decodeURI],
  ] as const) {
    it(`hands the code over byte for byte ${when}`, async () => {
      const tab = await openTab();
      await tab.go(`?${new URLSearchParams({ ...syncReturn, code })}`);
      tab.view.history.replaceState(null, '', rewrite(tab.view.location.href));
      await tab.load('/packages/widget/src/define.ts');
      const bff = new TestBff();
      await bff.set({});
      await tab.openForm(bff).press('Continue as Ada Lovelace');
      await until('a start', async () => (await bff.requests('POST /sync')).length > 0);
      expect((await bff.requests('POST /sync'))[0]!.body).to.deep.equal({ ...syncReturn, code });
    });
  }

  it('takes no `code` of a shop for a return', async () => {
    const sync = await openForm({ search: '?code=SKU1', session: session('anonymous') });
    await sync.reaches('Nothing to do here');
    expect(location.search).to.equal('?code=SKU1');
  });

  it('takes a return from the address once, also in a component of the page', async () => {
    const host = document.body.appendChild(document.createElement('div'));
    const sync = await openForm({ search: returnQuery, parent: host.attachShadow({ mode: 'open' }) });
    expect([sync.heading, location.search]).to.deep.equal(['Sign in to comment', '']);
    goTo(returnQuery);
    document.body.append(host);
    await sync.element.updateComplete;
    expect(location.search).to.equal(returnQuery);
    host.remove();
  });

  it('has the properties that a page sets before it loads', async () => {
    const tab = await openTab();
    await tab.go();
    const bff = new TestBff();
    await bff.set({});
    const element = tab.view.document.createElement('vestibule-sync');
    const sync = new Seen(Object.assign(element, { bff: bff.url, syncReturn, mayLeave: () => false }));
    tab.view.document.body.append(element);
    await tab.load('/packages/widget/src/define.ts');
    await sync.press('Continue as Ada Lovelace');
    await sync.says('You are signed in');
    expect([sync.button('Continue') !== undefined, sync.words.includes('Taking you back')]).to.deep.equal([true, false]);
  });

  it('asks about a return that a script of the page hands over, with the focus at the new question', async () => {
    const sync = await openForm({ session: validating(town) });
    await sync.reaches('Before you comment');
    sync.control('Town').focus();
    sync.element.syncReturn = { ...syncReturn, username: 'Grace' };
    await sync.says('Continue as Grace');
    await sync.hasFocusOn('Sign in to comment');
    expect(await sync.asked()).to.deep.equal(['GET /session']);
  });
});

describe('<vestibule-sync> without a return', () => {
  for (const [view, heading] of [
    [validating(town), 'Before you comment'],
    [session('signed-in'), 'You are signed in'],
    [session('anonymous', { notice: { id: 'n', kind: 'declined' } }), 'You did not allow access'],
    [session('anonymous', { notice: { id: 'n', kind: 'declined', instance: 'urn:vestibule:request:r1' } }), 'The sign-in did not work'],
    [session('anonymous', { notice: { id: 'n', kind: 'rejected' } }), 'The Courier did not accept the sign-in'],
    [session('anonymous', { notice: { id: 'n', kind: 'already-granted' } }), 'You allowed this before'],
    [session('anonymous'), 'Nothing to do here'],
  ] as const) {
    it(`requests the session, leaves the focus and says “${heading}”: ${view.state} ${view.notice?.kind ?? ''}`, async () => {
      const sync = await openForm({ session: view });
      await sync.reaches(heading);
      expect([sync.story, await sync.asked()]).to.deep.equal([[`state ${view.state}`], ['GET /session']]);
      expect(document.activeElement === document.body).to.equal(true);
      if (view.state !== 'anonymous') expect(sync.part('account')!.textContent).to.include('Ada Lovelace');
    });
  }

  it('shows the reference of a failure of the service, and stays open with it', async () => {
    replace(window, { opener: window });
    const sync = await openForm({ session: session('anonymous', { notice: { id: 'n', kind: 'declined', instance: 'urn:vestibule:request:r1' } }) });
    await sync.says('Reference: r1');
    expect(sync.words).to.contain('You are not signed in.');
    expect(sync.story).not.to.contain('closed');
  });

  it('moves the focus into the form in the sign-in window', async () => {
    replace(window, { opener: window });
    const sync = await openForm({ session: validating(town) });
    await sync.hasFocusOn('Before you comment');
  });

  it('requests the session again when the reader tries again', async () => {
    const sync = await openForm({ session: validating(town), answers: {
      'GET /session': [{ status: 502, text: '<h1>Bad gateway</h1>' }, { problem: 'service-unavailable' }],
    } });
    await sync.says('could not connect');
    sync.button('Try again')!.focus();
    await sync.press('Try again');
    await sync.says('not available right now');
    await sync.press('Try again');
    await sync.reaches('Before you comment');
    expect(sync.story).to.deep.equal(['error network', 'error service-unavailable', 'state validating']);
    await sync.hasFocusOn('Before you comment');
  });

  it('requests labels in the language of the page, also where it has no phrases', async () => {
    const parent = document.body.appendChild(Object.assign(document.createElement('div'), { lang: 'cy' }));
    const sync = await openForm({ parent, session: validating(town) });
    await sync.reaches('Before you comment');
    expect((await sync.bff.requests())[0]!.language).to.equal('cy');
    parent.remove();
  });
});

describe('<vestibule-sync> in a page that carries the sign-in', () => {
  const { sync: offered, limits } = validating(town);

  it('asks its questions without a request, and recovers as it does otherwise', async () => {
    const sync = await openForm({ data: { sync: offered!, limits }, answers: { 'POST /sync/validation': [{ problem: 'no-sync-in-progress' }] } });
    expect([sync.heading, await sync.asked()]).to.deep.equal(['Before you comment', []]);
    expect(sync.story).to.deep.equal(['state validating']);
    sync.answer('Town', 'Bath');
    await sync.press('Continue as Ada Lovelace');
    await sync.reaches('The sign-in did not work');
    expect(await sync.asked()).to.deep.equal(['POST /sync/validation', 'GET /session']);
  });

  it('takes them once', async () => {
    await openForm({ data: { sync: offered!, limits } });
    const second = await openForm({ session: session('anonymous') });
    await second.reaches('Nothing to do here');
  });

  it('requests the session if there is none', async () => {
    const sync = await openForm({ data: { limits }, session: session('signed-in') });
    await sync.reaches('You are signed in');
    expect(await sync.asked()).to.deep.equal(['GET /session']);
  });

  it('shows the return of its address instead', async () => {
    const sync = await openForm({ data: { sync: offered!, limits }, search: returnQuery });
    expect(sync.heading).to.equal('Sign in to comment');
  });
});

describe('a return to an article', () => {
  it('is asked about in the box, which has the focus again when the reader cancels', async () => {
    goTo(returnQuery);
    const box = await openBox({ attributes: { sync: 'inline' } });
    await box.press('Not you? Cancel');
    await box.says('Sign-in cancelled');
    await box.press('Back to the comments');
    await box.hasFocusOn('Your comment');
    expect([location.search, await box.bff.requests('POST /sync')]).to.deep.equal(['', []]);
  });

  it('goes on in the form beside the box, in the sign-in window too', async () => {
    const tab = await openTab(returnQuery);
    Object.assign(tab.view, { name: 'vestibule-sync', opener: window });
    const bff = new TestBff();
    await bff.set({ form });
    const page = tab.openForm(bff);
    await openBox({ tab, bff });
    await page.press('Continue as Ada Lovelace');
    await page.says('Before you comment');
  });
});
