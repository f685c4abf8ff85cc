import { expect } from '@open-wc/testing';
import type { FormField, ProblemType, SessionView } from '@vestibule/shared';
import type { ScriptedAnswer } from '../../../testing/scripted-bff.ts';
import { until } from '../../_until.ts';
import {
  ada, answer, button, clearPage, completionUrl, control, headingOf, mountSync, offer, reach, returnQuery, see, session, textOf,
  validating,
  type MountedSync, type MountOptions,
} from './_sync-fixture.ts';

const goOn = (sync: MountedSync) => button(sync, 'Continue as Ada Lovelace').click();

const starting = async (answers: readonly ScriptedAnswer[], options: MountOptions = {}) => {
  const sync = await mountSync({ search: returnQuery, form: { fields: [] }, ...options, answers: { 'POST /sync': answers } });
  goOn(sync);
  return sync;
};

/** `after`: what `GET /session` says once the answers were sent. */
const validation = async (answers: readonly ScriptedAnswer[], after?: SessionView) => {
  const sync = await mountSync({ session: validating(), answers: { 'POST /sync/validation': answers } });
  await reach(sync, 'Sign in to comment');
  if (after) await sync.bff.script({ session: after });
  goOn(sync);
  return sync;
};

const lost: ScriptedAnswer = { status: 502, text: '<h1>Bad gateway</h1>', carriedOut: true };

describe('<vestibule-sync>, temporary problems', () => {
  afterEach(clearPage);

  for (const problem of ['service-unavailable', 'too-many-requests', 'internal-error'] as const) {
    it(`leaves the reader able to try again, with the code unspent: ${problem}`, async () => {
      const sync = await starting([{ problem }]);
      await until(() => sync.story.length > 0, 'the event');
      expect(sync.story).to.deep.equal([`error urn:vestibule:${problem}`]);
      expect(sync.element.shadowRoot!.querySelector('[role=alert]')!.textContent).to.match(/\.$/);
      goOn(sync);
      await reach(sync, 'You are signed in');
      expect(await sync.bff.asked()).to.deep.equal(['POST /sync', 'POST /sync', 'POST /sync/validation']);
    });

    it(`leaves the reader able to send the answers again: ${problem}`, async () => {
      const sync = await validation([{ problem }]);
      await until(() => sync.story.length > 1, 'another event');
      expect(headingOf(sync)).to.equal('Sign in to comment');
      goOn(sync);
      await reach(sync, 'You are signed in');
    });
  }

  it('removes the message when the next attempt begins', async () => {
    const sync = await validation([{ problem: 'service-unavailable' }, { hold: 'second' }]);
    await see(sync, 'not available right now');
    goOn(sync);
    await until(() => !textOf(sync).includes('not available right now'), 'no problem');
    await sync.bff.release('second');
    await reach(sync, 'You are signed in');
  });
});

describe('<vestibule-sync>, lost responses', () => {
  afterEach(clearPage);

  it('continues a sign-in after a lost response to its start', async () => {
    const sync = await starting([lost, { problem: 'code-already-used' }], { form: { fields: [{ name: 'a', type: 'text', label: 'A', required: false }] } });
    await see(sync, 'could not be reached');
    goOn(sync);
    await reach(sync, 'Before you comment');
    expect(sync.story).to.deep.equal(['error urn:vestibule:network', 'state validating']);
    const [first, second] = await sync.bff.requests();
    expect(first!.key).to.be.a('string').and.equal(second!.key);
  });

  it('treats the reader as accepted after a lost outcome if the session is there', async () => {
    const sync = await validation([lost]);
    await see(sync, 'could not be reached');
    goOn(sync);
    await see(sync, 'You can go back and post your comment.');
    expect(sync.story).to.deep.equal(['state validating', 'error urn:vestibule:network', 'state signed-in']);
    expect(await sync.bff.asked()).to.deep.equal(['GET /session', 'POST /sync/validation', 'POST /sync/validation', 'GET /session']);
  });

  it('does not mistake another user\'s session for the outcome', async () => {
    const sync = await validation([{ problem: 'no-sync-in-progress' }], session('signed-in', { user: { ...ada, user_id: '43' } }));
    await reach(sync, 'The sign-in failed');
    expect(sync.story).to.deep.equal(['state validating', 'error urn:vestibule:no-sync-in-progress']);
  });

  it('stays if the session cannot be requested', async () => {
    const sync = await mountSync({ session: validating(), answers: { 'POST /sync/validation': [lost, lost], 'GET /session': [] } });
    await reach(sync, 'Sign in to comment');
    goOn(sync);
    await see(sync, 'could not be reached');
    await sync.bff.script({ answers: { 'POST /sync/validation': [{ problem: 'no-sync-in-progress' }], 'GET /session': [{ problem: 'service-unavailable' }] } });
    goOn(sync);
    await see(sync, 'not available right now');
    goOn(sync);
    await reach(sync, 'You are signed in');
  });
});

describe('<vestibule-sync>, the proven user', () => {
  afterEach(clearPage);

  const town: FormField = { name: 'town', type: 'text', label: 'Town', required: false };
  const provenUser = { ...ada, username: 'Countess Lovelace' };

  it('sends the sign-in and the username that the reader was shown', async () => {
    const sync = await mountSync({ session: validating() });
    await reach(sync, 'Sign in to comment');
    goOn(sync);
    await reach(sync, 'You are signed in');
    expect(await sync.bff.sent()).to.deep.equal([{ sync: 'sync-of-ada', username: 'Ada Lovelace', answers: {} }]);
  });

  it('shows another proven username, asks again, and keeps the answers', async () => {
    const sync = await mountSync({ session: validating(town), provenUser });
    await reach(sync, 'Before you comment');
    answer(sync, 'Town', 'Turin');
    button(sync, 'Finish signing in').click();
    await see(sync, 'is not the one you were shown');
    expect(textOf(sync)).to.include('Signing in as Countess Lovelace');
    expect(control(sync, 'Town').value).to.equal('Turin');
    expect(sync.story).to.deep.equal(['state validating', 'error urn:vestibule:user-changed']);
    button(sync, 'Finish signing in').click();
    await reach(sync, 'You are signed in');
    expect((await sync.bff.sent()).at(-1)).to.deep.equal({ sync: 'sync-of-ada', username: 'Countess Lovelace', answers: { town: 'Turin' } });
  });

  it('asks again without questions', async () => {
    const sync = await mountSync({ search: returnQuery, form: { fields: [] }, provenUser });
    goOn(sync);
    await see(sync, 'is not the one you were shown');
    button(sync, 'Continue as Countess Lovelace').click();
    await reach(sync, 'You are signed in');
  });

  it('resumes with the proven username after a reload', async () => {
    const sync = await mountSync({ session: validating(), provenUser });
    await reach(sync, 'Sign in to comment');
    goOn(sync);
    await see(sync, 'is not the one you were shown');
    const again = await mountSync({ bff: sync.bff });
    await see(again, 'Continue as Countess Lovelace');
  });
});

describe('<vestibule-sync>, a sign-in beside another', () => {
  afterEach(clearPage);

  it('shows the newer sign-in that has replaced it, with a message', async () => {
    const newer = offer([], { id: 'newer', user: { user_id: '43', username: 'Grace' } });
    const sync = await validation([], session('validating', { sync: newer }));
    await see(sync, 'A newer sign-in has replaced the earlier one.');
    button(sync, 'Continue as Grace').click();
    await reach(sync, 'You are signed in');
    expect((await sync.bff.sent()).at(-1)).to.deep.equal({ sync: 'newer', username: 'Grace', answers: {} });
  });

  it('leaves a signed-in reader signed in when they cancel the offer', async () => {
    const sync = await mountSync({ session: session('signed-in', { user: { user_id: '7', username: 'Grace' }, sync: offer() }) });
    await reach(sync, 'Sign in to comment');
    button(sync, 'Not you? Cancel').click();
    await reach(sync, 'Sign-in cancelled');
    expect(sync.story.filter((line) => line.startsWith('state'))).to.deep.equal(['state signed-in']);
  });
});

describe('<vestibule-sync>, sign-ins that are over', () => {
  afterEach(clearPage);

  const words: Partial<Record<ProblemType, string>> = {
    'no-sync-in-progress': 'This sign-in has ended or took too long.',
    'code-already-used': 'This sign-in has already been used.',
    'user-mismatch': 'confirmed a different account',
    'untrusted-completion-uri': 'does not lead back to the comment service',
    'outcome-unknown': 'It is not certain whether the sign-in succeeded.',
    'service-refused': 'did not accept this sign-in',
    'bad-service-response': 'invalid response',
    'forum-not-allowed': 'not set up for this page',
    'cross-site-request': 'is not allowed to use the comment service',
  };

  for (const [problem, sentence] of Object.entries(words) as [ProblemType, string][]) {
    it(`says that the reader must begin again: ${problem}`, async () => {
      for (const sync of [await starting([{ problem }]), await validation([{ problem }], session('anonymous'))]) {
        await reach(sync, 'The sign-in failed');
        expect(textOf(sync)).to.include(sentence);
        expect(sync.story.at(-1)).to.equal(`error urn:vestibule:${problem}`);
        expect(button(sync, `Go to ${location.host}`).localName).to.equal('a');
        sync.element.remove();
      }
    });
  }

  it('does not repeat a request that may have been carried out', async () => {
    const sync = await validation([{ problem: 'outcome-unknown' }]);
    await reach(sync, 'The sign-in failed');
    expect(await sync.bff.asked()).to.deep.equal(['GET /session', 'POST /sync/validation', 'GET /session']);
  });

  it('treats the reader as accepted after an uncertain outcome if the session is there', async () => {
    const sync = await validation([{ problem: 'outcome-unknown' }], session('signed-in'));
    await reach(sync, 'You are signed in');
  });

  it('starts the sign-in again at the service', async () => {
    const sync = await validation([{ problem: 'user-mismatch' }]);
    await reach(sync, 'The sign-in failed');
    button(sync, 'Sign in again').click();
    const query = new URLSearchParams({ forum: 'news', return_to: location.href, display: 'page' });
    expect(sync.story.at(-1)).to.equal(`gone to ${sync.bff.url}sync/authorize?${query}`);
  });

  it('starts the sign-in again in its own window', async () => {
    const sync = await mountSync({
      search: returnQuery, properties: { forum: 'news', openerOrigins: 'https://www.example.com' },
      answers: { 'POST /sync': [{ problem: 'user-mismatch' }] },
    });
    goOn(sync);
    await reach(sync, 'The sign-in failed');
    button(sync, 'Sign in again').click();
    const query = new URLSearchParams({ forum: 'news', return_to: 'https://www.example.com/', display: 'popup' });
    expect(sync.story.at(-1)).to.equal(`gone to ${sync.bff.url}sync/authorize?${query}`);
  });

  it('shows the service\'s message as text', async () => {
    const detail = 'Code <b>expired</b>';
    const sync = await validation([{ problem: 'service-refused', detail }]);
    await reach(sync, 'The sign-in failed');
    expect(textOf(sync)).to.include(detail);
  });

  it('shows no detail of any other problem', async () => {
    const sync = await validation([{ problem: 'bad-service-response', detail: 'The inside of it' }]);
    await reach(sync, 'The sign-in failed');
    expect(textOf(sync)).not.to.include('The inside of it');
  });
});

describe('<vestibule-sync>, removed from the page', () => {
  afterEach(clearPage);

  it('aborts the request and ignores its response', async () => {
    const sync = await validation([{ hold: 'late' }]);
    await until(async () => (await sync.bff.asked()).length === 2, 'the request');
    await see(sync, 'Checking your answers…');
    sync.element.remove();
    await sync.bff.release('late');
    // A response that was not aborted arrives before this one.
    await sync.bff.asked();
    expect(sync.story).to.deep.equal(['state validating']);
  });

  it('shows the state of the sign-in when it is added again', async () => {
    const sync = await validation([{ hold: 'late', carriedOut: true, json: { outcome: 'accepted', completion_url: completionUrl } }]);
    await until(async () => (await sync.bff.asked()).length === 2, 'the request');
    sync.element.remove();
    await sync.bff.release('late');
    document.body.append(sync.element);
    await until(() => sync.element.shadowRoot!.querySelector('[aria-busy=false]'), 'an idle form');
    goOn(sync);
    await see(sync, 'You can go back and post your comment.');
    sync.element.remove();
  });

  it('requests the session again if it was removed before the response', async () => {
    const sync = await mountSync({ session: validating(), answers: { 'GET /session': [{ hold: 'late' }] } });
    sync.element.remove();
    await sync.bff.release('late');
    await until(() => sync.element.shadowRoot!.querySelector('[aria-busy=false]'), 'an idle form');
    document.body.append(sync.element);
    await reach(sync, 'Sign in to comment');
    sync.element.remove();
  });

  it('requests nothing if it is removed before its first update, until it is added again', async () => {
    const parent = document.createElement('div');
    const mounting = mountSync({ session: validating(), parent });
    await until(() => parent.firstChild, 'the element');
    document.body.append(parent);
    parent.remove();
    const sync = await mounting;
    expect(await sync.bff.asked()).to.deep.equal([]);
    document.body.append(sync.element);
    await reach(sync, 'Sign in to comment');
    expect(await sync.bff.asked()).to.deep.equal(['GET /session']);
    sync.element.remove();
  });

  it('keeps its request while it is moved', async () => {
    const sync = await validation([{ hold: 'late' }]);
    await see(sync, 'Checking your answers…');
    const place = document.body.appendChild(document.createElement('div'));
    place.append(sync.element);
    await sync.bff.release('late');
    await reach(sync, 'You are signed in');
    expect(await sync.bff.asked()).to.deep.equal(['GET /session', 'POST /sync/validation']);
    place.remove();
  });
});
