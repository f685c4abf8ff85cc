import { expect } from '@open-wc/testing';
import {
  ada, button, clearPage, focusOf, headingOf, mountSync, reach, returnQuery, see, session, syncReturn, textOf, validating,
} from './_sync-fixture.ts';

const form = { fields: [{ name: 'town', type: 'text', label: 'Town', required: true }] } as const;

describe('<vestibule-sync> with a callback in the address', () => {
  afterEach(clearPage);

  it('removes the callback from the address at once and nothing else', async () => {
    const entries = history.length;
    await mountSync({ search: `?page=2&${returnQuery.slice(1)}&q=a%20b#comments` });
    expect(location.search + location.hash).to.equal('?page=2&q=a%20b#comments');
    expect(history.length).to.equal(entries);
  });

  it('shows who would be signed in', async () => {
    const sync = await mountSync({ search: returnQuery });
    expect(headingOf(sync)).to.equal('Sign in to comment');
    expect(textOf(sync)).to.include('Ada Lovelace');
    expect(button(sync, 'Continue as Ada Lovelace').className).to.equal('primary');
  });

  it('sends nothing and fires no event before the reader continues', async () => {
    const { bff, story } = await mountSync({ search: returnQuery });
    expect(await bff.asked()).to.deep.equal([]);
    expect(story).to.deep.equal([]);
  });

  it('sends nothing if the reader is not that user', async () => {
    const sync = await mountSync({ search: returnQuery });
    button(sync, 'Not you? Cancel').click();
    await reach(sync, 'Sign-in cancelled');
    expect(await sync.bff.asked()).to.deep.equal([]);
  });

  it('sends the callback when the reader continues, and shows the questions', async () => {
    const sync = await mountSync({ search: returnQuery, form, properties: { forum: 'news' } });
    button(sync, 'Continue as Ada Lovelace').click();
    await reach(sync, 'Before you comment');
    expect(await sync.bff.asked()).to.deep.equal(['POST /sync']);
    expect(await sync.bff.sent()).to.deep.equal([{ ...syncReturn, forum: 'news' }]);
    expect(sync.story).to.deep.equal(['state validating']);
  });

  it('sends no forum if the page names none', async () => {
    const sync = await mountSync({ search: returnQuery, form });
    button(sync, 'Continue as Ada Lovelace').click();
    await reach(sync, 'Before you comment');
    expect(await sync.bff.sent()).to.deep.equal([syncReturn]);
  });

  it('sends the callback once, however often the reader clicks', async () => {
    const sync = await mountSync({ search: returnQuery, form, answers: { 'POST /sync': [{ hold: 'start' }] } });
    const goOn = button(sync, 'Continue as Ada Lovelace');
    goOn.click();
    goOn.click();
    await see(sync, 'Signing in…');
    goOn.click();
    button(sync, 'Not you? Cancel').click();
    await sync.bff.release('start');
    await reach(sync, 'Before you comment');
    expect(await sync.bff.asked()).to.deep.equal(['POST /sync']);
  });

  it('shows a name as text with isolated direction', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u202e gnihsihp';
    const sync = await mountSync({ search: `?${new URLSearchParams({ ...syncReturn, username: hostile })}` });
    const names = [...sync.element.shadowRoot!.querySelectorAll('.name')];
    expect(names.map(({ localName, textContent }) => [localName, textContent])).to.deep.equal([['bdi', hostile], ['bdi', hostile]]);
    expect(sync.element.shadowRoot!.querySelector('img')).to.equal(null);
  });

  it('shows the id of an account with a blank name', async () => {
    const sync = await mountSync({ search: `?${new URLSearchParams({ ...syncReturn, username: '\u200b\u2800' })}` });
    expect(button(sync, 'Continue as 42').className).to.equal('primary');
  });

  it('stays within its card with a long name', async () => {
    const { element } = await mountSync({ search: `?${new URLSearchParams({ ...syncReturn, username: 'W'.repeat(255) })}` });
    expect(element.scrollWidth).to.be.at.most(element.clientWidth);
    expect(element.offsetHeight).to.be.below(700);
  });

  for (const value of ['access_denied', '<script>alert(1)</script>', '']) {
    it(`tells of a denial and shows nothing of error=${value}`, async () => {
      const sync = await mountSync({ search: `?${new URLSearchParams({ error: value, error_description: 'secret' })}` });
      expect(headingOf(sync)).to.equal('Access was not allowed');
      if (value) expect(textOf(sync)).not.to.include(value);
      expect(location.search).not.to.include('error=');
      expect(await sync.bff.asked()).to.deep.equal([]);
    });
  }

  it('shows that access was granted before', async () => {
    const sync = await mountSync({ search: '?success=1' });
    expect(headingOf(sync)).to.equal('You’ve already allowed access');
    expect(location.search).to.equal('');
  });

  for (const [what, search] of [
    ['is incomplete', '?code=c0de&username=Ada'],
    ['says something twice', `${returnQuery}&user_id=43`],
  ]) {
    it(`takes no return that ${what}`, async () => {
      const sync = await mountSync({ search: search! });
      expect(headingOf(sync)).to.equal('This sign-in link is incomplete');
      expect(location.search).to.equal('');
      expect(await sync.bff.asked()).to.deep.equal([]);
    });
  }
});

describe('<vestibule-sync> without a callback', () => {
  afterEach(clearPage);

  it('requests the session and continues a waiting sign-in', async () => {
    const sync = await mountSync({ session: validating(...form.fields) });
    await reach(sync, 'Before you comment');
    expect(textOf(sync)).to.include('Signing in as Ada Lovelace');
    expect(sync.story).to.deep.equal(['state validating']);
  });

  it('shows who is already signed in', async () => {
    const sync = await mountSync({ session: session('signed-in') });
    await reach(sync, 'You are signed in');
    expect(textOf(sync)).to.include(ada.username);
    expect(sync.story).to.deep.equal(['state signed-in']);
  });

  for (const [notice, heading] of [
    ['declined', 'Access was not allowed'],
    ['rejected', 'This site did not accept the sign-in'],
    ['already-granted', 'You’ve already allowed access'],
    [undefined, 'Nothing to do here'],
  ] as const) {
    it(`tells a reader who is not signed in what came of it: ${notice ?? 'nothing'}`, async () => {
      const sync = await mountSync({ session: session('anonymous', notice ? { notice } : {}) });
      await reach(sync, heading);
      expect(sync.story).to.deep.equal(['state anonymous']);
    });
  }

  it('requests the session again when the reader tries again', async () => {
    const sync = await mountSync({ session: validating(...form.fields), answers: {
      'GET /session': [{ status: 502, text: '<h1>Bad gateway</h1>' }, { problem: 'service-unavailable' }],
    } });
    await see(sync, 'could not be reached');
    button(sync, 'Try again').focus();
    button(sync, 'Try again').click();
    await see(sync, 'not available right now');
    button(sync, 'Try again').click();
    await reach(sync, 'Before you comment');
    expect(sync.story).to.deep.equal(['error urn:vestibule:network', 'error urn:vestibule:service-unavailable', 'state validating']);
    expect(focusOf(sync)).to.equal('Before you comment');
  });

  it('requests labels in the language of the page', async () => {
    const page = document.createElement('div');
    page.lang = 'cy';
    document.body.append(page);
    const sync = await mountSync({ parent: page, session: validating(...form.fields) });
    await reach(sync, 'Before you comment');
    expect((await sync.bff.requests())[0]!.language).to.equal('cy');
    page.remove();
  });

  it('does not move the focus while the page loads', async () => {
    const sync = await mountSync({ session: validating(...form.fields) });
    await reach(sync, 'Before you comment');
    expect(document.activeElement).to.equal(document.body);
  });
});

describe('<vestibule-sync> within the comment box', () => {
  afterEach(clearPage);

  const mountInline = async (options: Parameters<typeof mountSync>[0]) => {
    const box = document.createElement('vestibule-comments');
    document.body.append(box);
    const sync = await mountSync({ ...options, parent: box.shadowRoot ?? box.attachShadow({ mode: 'open' }) });
    return { ...sync, box };
  };

  it('leaves the callback in the address to the box', async () => {
    const sync = await mountInline({ search: returnQuery, session: validating(...form.fields) });
    await reach(sync, 'Before you comment');
    expect(location.search).to.equal(returnQuery);
    sync.box.remove();
  });

  it('takes the callback from the box and asks the reader first', async () => {
    const sync = await mountInline({ properties: { syncReturn } });
    expect(headingOf(sync)).to.equal('Sign in to comment');
    expect(await sync.bff.asked()).to.deep.equal([]);
    sync.box.remove();
  });

  it('continues its sign-in when the box drops the callback', async () => {
    const sync = await mountInline({ properties: { syncReturn }, form });
    button(sync, 'Continue as Ada Lovelace').click();
    await reach(sync, 'Before you comment');
    sync.element.syncReturn = undefined;
    await sync.element.updateComplete;
    expect(headingOf(sync)).to.equal('Before you comment');
    expect(await sync.bff.asked()).to.deep.equal(['POST /sync']);
    sync.box.remove();
  });

  it('returns the reader to the box', async () => {
    const sync = await mountInline({ properties: { syncReturn } });
    let closed = 0;
    sync.element.addEventListener('close', () => closed += 1);
    button(sync, 'Not you? Cancel').click();
    await reach(sync, 'Sign-in cancelled');
    button(sync, 'Back to the comments').click();
    expect(closed).to.equal(1);
    sync.box.remove();
  });
});
