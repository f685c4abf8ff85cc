/** `<vestibule-sync>`, failed requests, lost responses, and an element that is removed meanwhile. */

import { expect } from '@open-wc/testing';
import type { FormField, ProblemType, SessionView } from '@vestibule/shared';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import {
  ada, completionUrl, finish, offer, openForm, openQuestions, outcome, requested, returnQuery, session, validating, validation,
  type Form, type FormOptions,
} from './_sync-fixture.ts';

const goOn = (form: Form): Promise<void> => form.press('Continue as Ada Lovelace');

const isSignedIn = (form: Form): Promise<void> => form.reaches('You are signed in');

/** The reader has sent the return. */
async function start(answers: readonly ScriptedAnswer[], options: FormOptions = {}): Promise<Form> {
  const form = await openForm({ search: returnQuery, ...options, answers: { 'POST /sync': answers } });
  await goOn(form);
  return form;
}

/** The reader has confirmed a waiting sign-in. `then`: the session from then on. */
const confirm = (answers: readonly ScriptedAnswer[], then: { readonly session?: SessionView } = {}): Promise<Form> => (
  finish({ ...validation(...answers), then })
);

const lost: ScriptedAnswer = { status: 502, text: '<h1>Bad gateway</h1>', carriedOut: true };

describe('<vestibule-sync>, temporary problems', () => {
  for (const [problem, words] of [
    ['service-unavailable', 'Comments are not available right now. Please try again in a moment.'],
    ['too-many-requests', ''],
    ['internal-error', ''],
    ['payload-too-large', 'Your answers are too long.'],
  ] as const) {
    it(`leave the code unspent and the answers unsent, for another attempt: ${problem}`, async () => {
      for (const open of [start, confirm]) {
        const form = await open([{ problem }]);
        await form.until(() => form.story.at(-1) === `error ${problem}`, 'the event');
        expect(form.heading).to.equal('Sign in to comment');
        expect(form.role('alert').textContent).to.match(/^[A-Z].*\.$/).and.contain(words);
        await goOn(form);
        await isSignedIn(form);
      }
    });
  }
});

describe('<vestibule-sync>, responses that are lost', () => {
  it('continues a sign-in after a lost response to its start, which it repeats under the same key', async () => {
    const fields: FormField[] = [{ name: 'a', type: 'text', label: 'A', required: false }];
    const form = await start([lost, { problem: 'code-already-used' }], { form: { fields } });
    await form.says('could not connect');
    await goOn(form);
    await form.reaches('Before you comment');
    expect(form.story).to.deep.equal(['error network', 'state validating']);
    const [first, second] = await form.bff.requests('POST /sync');
    expect(first!.key).to.be.a('string').and.equal(second!.key);
  });

  it('takes the session that is there for the outcome that was lost', async () => {
    const form = await confirm([lost]);
    await form.says('could not connect');
    await goOn(form);
    await form.says('You can go back and post your comment.');
    expect(form.story).to.deep.equal(['state validating', 'error network', 'state signed-in']);
    expect(await form.asked()).to.deep.equal(['GET /session', 'POST /sync/validation', 'POST /sync/validation', 'GET /session']);
  });

  it('stays if the session cannot be requested', async () => {
    const form = await openQuestions([], validation({ problem: 'no-sync-in-progress' }));
    await form.bff.set({ answers: { 'GET /session': [{ problem: 'service-unavailable' }] } });
    await goOn(form);
    await form.says('not available right now');
    await goOn(form);
    await isSignedIn(form);
  });

  for (const [problem, view, heading] of [
    ['outcome-unknown', session('signed-in'), 'You are signed in'],
    ['outcome-unknown', session('anonymous'), 'The sign-in did not work'],
    ['outcome-unknown', validating(), 'The sign-in did not work'],
    ['outcome-unknown', session('signed-in', { user: { ...ada, user_id: '43' } }), 'The sign-in did not work'],
    ['no-sync-in-progress', session('signed-in', { user: { ...ada, user_id: '43' } }), 'The sign-in did not work'],
    ['no-sync-in-progress', session('anonymous'), 'The sign-in did not work'],
    ['no-sync-in-progress', validating(), 'Sign in to comment'],
  ] as const) {
    it(`sends nothing again and says “${heading}” after ${problem}, ${view.state} as ${view.user?.user_id ?? 'nobody'}`, async () => {
      const form = await confirm([{ problem }], { session: view });
      await requested(form, 'POST /sync/validation');
      await form.until(async () => (await form.asked()).length === 3 && form.heading === heading, heading);
      expect(await form.asked()).to.deep.equal(['GET /session', 'POST /sync/validation', 'GET /session']);
    });
  }

  it('shows the newer sign-in that has replaced this one, with a message', async () => {
    const newer = offer([], { id: 'newer', user: { user_id: '43', username: 'Grace' } });
    const form = await confirm([], { session: session('validating', { sync: newer }) });
    await form.says('A newer sign-in has replaced the earlier one.');
    await form.press('Continue as Grace');
    await isSignedIn(form);
    expect((await form.sent()).at(-1)).to.deep.equal({ sync: 'newer', username: 'Grace', answers: {} });
  });

  it('leaves a signed-in reader signed in when they cancel another sign-in', async () => {
    const form = await openForm({ session: session('signed-in', { user: { user_id: '7', username: 'Grace' }, sync: offer() }) });
    await form.press('Not you? Cancel');
    await form.reaches('Sign-in cancelled');
    expect(form.story.filter((line) => line.startsWith('state'))).to.deep.equal(['state signed-in']);
  });
});

describe('<vestibule-sync>, the proven user', () => {
  const town: FormField = { name: 'town', type: 'text', label: 'Town', required: false };
  const provenUser = { ...ada, username: 'Countess Lovelace' };

  it('is shown if the name is another one, and confirmed by the reader, who keeps the answers', async () => {
    const form = await openQuestions([town], { provenUser });
    form.answer('Town', 'Turin');
    await form.press('Continue as Ada Lovelace');
    await form.says('is not the one you were shown');
    expect([form.part('account')!.textContent.includes('Countess Lovelace'), form.control('Town').value]).to.deep.equal([true, 'Turin']);
    expect(form.story).to.deep.equal(['state validating', 'error user-changed']);
    await form.press('Continue as Countess Lovelace');
    await isSignedIn(form);
    expect(await form.sent()).to.deep.equal(['Ada Lovelace', 'Countess Lovelace'].map((username) => ({ sync: 'sync-of-ada', username, answers: { town: 'Turin' } })));
  });

  it('is shown without questions too, also after a reload', async () => {
    const form = await start([], { provenUser });
    await form.says('is not the one you were shown');
    await form.says('Continue as Countess Lovelace');
    form.element.remove();
    const again = await openForm({ bff: form.bff });
    await again.press('Continue as Countess Lovelace');
    await isSignedIn(again);
  });
});

describe('<vestibule-sync>, sign-ins that are over', () => {
  const words: Partial<Record<ProblemType, string>> = {
    'no-sync-in-progress': 'This sign-in has ended or took too long.',
    'code-already-used': 'This sign-in has already been used.',
    'user-mismatch': 'is not the one you were shown',
    'untrusted-completion-uri': 'leads somewhere else',
    'outcome-unknown': 'We could not confirm your sign-in.',
    'service-refused': 'Your sign-in was not accepted',
    'bad-service-response': 'did not get a valid answer',
    'forum-not-allowed': 'Comments are not available on this page',
    'cross-site-request': 'are not available on this page',
    'user-changed': '.',
    'invalid-request': '.',
  };
  const detail = 'Code <b>expired</b>';

  for (const [problem, sentence] of Object.entries(words) as [ProblemType, string][]) {
    it(`are said to be, with a way out and the service’s own words only: ${problem}`, async () => {
      for (const open of [start, confirm]) {
        const form = await open([{ problem, detail }], { session: session('anonymous') });
        await form.reaches('The sign-in did not work');
        expect([form.words.includes(sentence), form.words.includes(detail)]).to.deep.equal([true, problem === 'service-refused']);
        expect(form.story.at(-1)).to.equal(`error ${problem}`);
        expect(form.button(`Go to ${location.host}`)!.localName).to.equal('a');
      }
    });
  }
});

describe('<vestibule-sync>, removed from the page', () => {
  it('ignores the response, and shows the state of the sign-in when it is added again', async () => {
    const form = await confirm([{ hold: 'late', carriedOut: true, json: { outcome: 'accepted', completion_url: completionUrl } }]);
    await requested(form, 'POST /sync/validation');
    form.element.remove();
    await form.bff.release('late');
    // A response that was not aborted arrives before this one.
    await form.asked();
    expect(form.story).to.deep.equal(['state validating']);
    document.body.append(form.element);
    await form.until(() => form.part('primary-button')?.ariaDisabled === 'false', 'a form that waits for the reader');
    await goOn(form);
    await form.says('You can go back and post your comment.');
  });

  it('requests nothing if it is removed before its first update', async () => {
    const parent = document.createElement('div');
    const opening = openForm({ session: validating(), parent });
    await new Promise<void>((resolve) => new MutationObserver(() => resolve()).observe(parent, { childList: true }));
    document.body.append(parent);
    parent.remove();
    const form = await opening;
    expect(await form.asked()).to.deep.equal([]);
    document.body.append(form.element);
    await form.reaches('Sign in to comment');
    expect(await form.asked()).to.deep.equal(['GET /session']);
  });

  for (const method of ['append', 'moveBefore'] as const) {
    it(`keeps its request while it is moved: ${method}`, async () => {
      const form = await confirm([{ ...outcome('accepted'), hold: 'late' }]);
      await form.says('Signing in…');
      const place = document.body.appendChild(document.createElement('div'));
      if (method === 'append') place.append(form.element);
      else (place as ParentNode & { moveBefore(node: Node, child: null): void }).moveBefore(form.element, null);
      await form.bff.release('late');
      await isSignedIn(form);
      expect(await form.asked()).to.deep.equal(['GET /session', 'POST /sync/validation']);
      place.remove();
    });
  }
});
