/** `<vestibule-sync>` and its page: attributes, properties that change, language, focus, windows. */

import { expect, fixture } from '@open-wc/testing';
import { html } from 'lit';
import { languages } from '../../locales/languages.ts';
import type { Language } from '../../locales/language.ts';
import { needsSession } from '../../session/stored-session-hint.ts';
import { until } from '../../_until.ts';
import { ScriptedBff } from './_scripted-bff.ts';
import {
  button, clearPage, control, focusOf, headingOf, mountSync, outcome, reach, returnQuery, session, syncReturn, textOf, validating,
} from './_sync-fixture.ts';
import type { VestibuleSync } from './vestibule-sync.ts';

const town = { name: 'town', type: 'text', label: 'Town', required: true } as const;
const known = languages as Record<string, () => Promise<Language>>;

const cardOf = ({ element }: { readonly element: VestibuleSync }): HTMLElement => element.shadowRoot!.querySelector('section')!;

const statusOf = ({ element }: { readonly element: VestibuleSync }): HTMLElement => element.shadowRoot!.querySelector('[role=status]')!;

describe('<vestibule-sync>, attributes', () => {
  afterEach(clearPage);

  it('sets a property by each, and none for what is no text', async () => {
    const bff = new ScriptedBff();
    const element = await fixture<VestibuleSync>(html`
      <vestibule-sync
        forum="sport" bff=${bff.url} lang="en" theme="dark" heading-level="3" opener-origins="https://a.example https://b.example"
        strings="[]" syncreturn="x" sync-return="x"
      ></vestibule-sync>
    `);
    const { forum, lang, theme, openerOrigins, headingLevel } = element;
    expect([forum, element.bff, lang, theme, openerOrigins, headingLevel, element.strings, element.syncReturn]).to.deep.equal(
      ['sport', bff.url, 'en', 'dark', 'https://a.example https://b.example', 3, undefined, undefined],
    );
    expect(element.shadowRoot!.querySelector('#heading')!.getAttribute('aria-level')).to.equal('3');
    await element.updateComplete;
  });

  it('shows `lang` and `theme`, which styles select, when they are set as properties', async () => {
    const { element } = await mountSync({ search: returnQuery, properties: { lang: 'en', theme: 'light', forum: 'sport' } });
    expect([...element.attributes].map(({ name, value }) => `${name}=${value}`).toSorted()).to.deep.equal(['lang=en', 'theme=light']);
  });
});

describe('<vestibule-sync>, callbacks', () => {
  afterEach(clearPage);

  it('leaves the address alone where a script has handed over the callback', async () => {
    const sync = await mountSync({ search: returnQuery, properties: { syncReturn: { ...syncReturn, username: 'Grace' } } });
    expect(textOf(sync)).to.include('Continue as Grace');
    expect(location.search).to.equal(returnQuery);
  });

  it('takes one from the address in a component of the page, and none when it is put back', async () => {
    const host = document.createElement('div');
    document.body.append(host);
    const sync = await mountSync({ search: returnQuery, parent: host.attachShadow({ mode: 'open' }) });
    expect([headingOf(sync), location.search]).to.deep.equal(['Sign in to comment', '']);
    history.replaceState(null, '', location.pathname + returnQuery);
    document.body.append(host);
    await sync.element.updateComplete;
    expect(location.search).to.equal(returnQuery);
    host.remove();
  });

  it('asks the reader about one that comes later, with the focus at the new question', async () => {
    const sync = await mountSync({ session: validating(town) });
    await reach(sync, 'Before you comment');
    control(sync, 'Town').focus();
    sync.element.syncReturn = { ...syncReturn, username: 'Grace' };
    await sync.element.updateComplete;
    await sync.element.updateComplete;
    expect(textOf(sync)).to.include('Continue as Grace');
    expect(focusOf(sync)).to.equal('Sign in to comment');
    expect(await sync.bff.asked()).to.deep.equal(['GET /session']);
  });

  it('leaves the focus of the page where it is', async () => {
    const field = await fixture<HTMLInputElement>(html`<input>`);
    const sync = await mountSync({ session: validating(town) });
    await reach(sync, 'Before you comment');
    field.focus();
    sync.element.syncReturn = syncReturn;
    await sync.element.updateComplete;
    expect(headingOf(sync)).to.equal('Sign in to comment');
    expect(document.activeElement === field).to.equal(true);
  });
});

describe('<vestibule-sync>, another BFF', () => {
  afterEach(clearPage);

  it('begins again there, and for no other property', async () => {
    const sync = await mountSync({ session: validating(town) });
    await reach(sync, 'Before you comment');
    const other = new ScriptedBff();
    await other.script({ session: session('signed-in') });
    for (const change of [{ forum: 'sport' }, { headingLevel: 4 }, { syncReturn: undefined }]) {
      Object.assign(sync.element, change);
      await sync.element.updateComplete;
    }
    expect(headingOf(sync)).to.equal('Before you comment');
    sync.element.bff = other.url;
    await reach(sync, 'You are signed in');
    expect([await sync.bff.asked(), await other.asked()]).to.deep.equal([['GET /session'], ['GET /session']]);
  });
});

describe('<vestibule-sync>, its card', () => {
  afterEach(clearPage);

  it('is busy while a request is in flight', async () => {
    const sync = await mountSync({ answers: { 'GET /session': [{ hold: 'session' }] }, session: session('anonymous') });
    expect([cardOf(sync).ariaBusy, cardOf(sync).className]).to.deep.equal(['true', 'card']);
    await sync.bff.release('session');
    await reach(sync, 'Nothing to do here');
    expect([cardOf(sync).ariaBusy, statusOf(sync).className]).to.deep.equal(['false', 'quiet status ']);
  });

  it('shows the status, which screen readers get at once, when a request is slow', async () => {
    const { setTimeout } = window;
    let becomeSlow = () => {};
    window.setTimeout = ((run: () => void, ms?: number) => {
      if (ms === 5_000) becomeSlow = run;
      return setTimeout(run, ms);
    }) as typeof setTimeout;
    const mounted = mountSync({ answers: { 'GET /session': [{ hold: 'session' }] }, session: session('anonymous') });
    const sync = await mounted.finally(() => { window.setTimeout = setTimeout; });
    expect([statusOf(sync).textContent, statusOf(sync).offsetWidth]).to.deep.equal(['One moment…', 1]);
    becomeSlow();
    await sync.element.updateComplete;
    expect([statusOf(sync).className, statusOf(sync).offsetWidth > 100]).to.deep.equal(['quiet status shown', true]);
    await sync.bff.release('session');
    await reach(sync, 'Nothing to do here');
  });

  it('is none within the comment box', async () => {
    const box = document.createElement('vestibule-comments');
    document.body.append(box);
    const sync = await mountSync({ parent: box.shadowRoot ?? box.attachShadow({ mode: 'open' }), properties: { syncReturn } });
    expect(cardOf(sync).className).to.equal('inline');
    box.remove();
  });

  it('has the language and the direction of its words, those of problems too', async () => {
    // The words of the first problem are the form's own.
    for (const problem of ['service-unavailable', 'internal-error'] as const) {
      const sync = await mountSync({ properties: { lang: 'ar' }, answers: { 'GET /session': [{ problem }] } });
      await until(() => cardOf(sync).lang === 'ar' && cardOf(sync).ariaBusy === 'false', 'the form in Arabic');
      expect(cardOf(sync).dir).to.equal('rtl');
      expect(textOf(sync)).to.match(/[\u0600-\u06ff]/).and.not.match(/[a-z]{4}/i);
      sync.element.remove();
    }
  });
});

describe('<vestibule-sync>, a language that does not load', () => {
  let loads = 0;

  beforeEach(() => {
    loads = 0;
    known['xx'] = () => {
      loads += 1;
      return Promise.reject(new TypeError('offline'));
    };
  });

  afterEach(() => {
    delete known['xx'];
    clearPage();
  });

  it('is reported, and loaded again when the reader comes to the form or is online again', async () => {
    const sync = await mountSync({ search: returnQuery, properties: { lang: 'xx' } });
    await until(() => sync.story.length === 1, 'the event');
    expect([sync.story, headingOf(sync), cardOf(sync).lang]).to.deep.equal([['error urn:vestibule:network'], 'Sign in to comment', 'en']);
    const actions = [
      ...['pointerenter', 'focusin', 'keydown'].map((name) => () => sync.element.dispatchEvent(new Event(name))),
      () => dispatchEvent(new Event('online')),
    ];
    for (const [i, act] of actions.entries()) {
      act();
      await until(() => sync.story.length === i + 2, 'the event');
    }
    expect(loads).to.equal(5);
    sync.element.remove();
    dispatchEvent(new Event('online'));
    const other = await mountSync({ search: returnQuery, properties: { lang: 'xx' } });
    await until(() => other.story.length === 1, 'the event');
    expect(loads).to.equal(6);
  });
});

describe('<vestibule-sync>, the hint of a session', () => {
  afterEach(() => {
    clearPage();
    localStorage.clear();
  });

  it('is stored for an accepted reader only', async () => {
    for (const name of ['accepted', 'rejected'] as const) {
      const sync = await mountSync({ session: validating(), answers: { 'POST /sync/validation': [outcome(name, { reason: 'No.' })] } });
      await reach(sync, 'Sign in to comment');
      button(sync, 'Continue as Ada Lovelace').click();
      await reach(sync, name === 'accepted' ? 'You are signed in' : 'This site did not accept the sign-in');
      expect(needsSession(new URL(sync.bff.url)), name).to.equal(name === 'accepted');
      sync.element.remove();
    }
  });
});

describe('<vestibule-sync>, its window', () => {
  const { opener } = window;
  afterEach(() => {
    window.opener = opener;
    clearPage();
  });

  it('is closed after an earlier grant if a page has opened it', async () => {
    for (const [own, story] of [[null, []], [window, ['closed']]] as const) {
      window.opener = own;
      const sync = await mountSync({ search: '?success=1' });
      expect(sync.story).to.deep.equal(story);
      sync.element.remove();
    }
  });

  it('is not closed by a form within the comment box', async () => {
    window.opener = window;
    const box = document.createElement('vestibule-comments');
    document.body.append(box);
    const sync = await mountSync({
      parent: box.shadowRoot ?? box.attachShadow({ mode: 'open' }), session: session('anonymous', { notice: 'already-granted' }),
    });
    await reach(sync, 'You’ve already allowed access');
    expect(sync.story).to.deep.equal(['state anonymous']);
    box.remove();
  });

  it('starts the sign-in again only where the forum is known', async () => {
    for (const [forum, labels] of [[null, []], ['news', ['Sign in again']]] as const) {
      const sync = await mountSync({
        search: returnQuery, properties: { forum, openerOrigins: '  https://www.example.com\n' }, answers: { 'POST /sync': [{ problem: 'user-mismatch' }] },
      });
      button(sync, 'Continue as Ada Lovelace').click();
      await reach(sync, 'The sign-in failed');
      const shown = [...sync.element.shadowRoot!.querySelectorAll('button')].map(({ textContent }) => textContent.trim());
      expect(shown.filter((label) => label === 'Sign in again')).to.deep.equal(labels);
      if (forum) button(sync, 'Sign in again').click();
      const query = new URLSearchParams({ forum: 'news', return_to: 'https://www.example.com/', display: 'popup' });
      expect(sync.story.at(-1)).to.equal(forum ? `gone to ${sync.bff.url}sync/authorize?${query}` : 'error urn:vestibule:user-mismatch');
      sync.element.remove();
    }
  });

  it('leaves it to the comment box to start the sign-in again', async () => {
    const box = document.createElement('vestibule-comments');
    document.body.append(box);
    const sync = await mountSync({
      parent: box.shadowRoot ?? box.attachShadow({ mode: 'open' }), properties: { syncReturn, forum: 'news' },
      answers: { 'POST /sync': [{ problem: 'user-mismatch' }] },
    });
    button(sync, 'Continue as Ada Lovelace').click();
    await reach(sync, 'The sign-in failed');
    const shown = [...sync.element.shadowRoot!.querySelectorAll('button')].map(({ textContent }) => textContent.trim());
    expect(shown).to.deep.equal(['Back to the comments']);
    box.remove();
  });

  it('goes to other addresses by the browser’s own means', async () => {
    const { element: { browser } } = await fixtureOfOwn();
    const entries = history.length;
    browser.replace('#replaced');
    expect([location.hash, history.length]).to.deep.equal(['#replaced', entries]);
    browser.assign('#assigned');
    expect(location.hash).to.equal('#assigned');
    const { close } = window;
    let closes = 0;
    window.close = () => { closes += 1; };
    expect([browser.close(), closes]).to.deep.equal([false, 1]);
    window.close = close;
  });
});

/** An element with its own effects on the window. */
async function fixtureOfOwn(): Promise<{ readonly element: VestibuleSync }> {
  const bff = new ScriptedBff();
  await bff.script({ session: session('anonymous') });
  return { element: await fixture<VestibuleSync>(html`<vestibule-sync bff=${bff.url}></vestibule-sync>`) };
}
