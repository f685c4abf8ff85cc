/** The reference of a failure, wherever the elements show one. */

import { expect, fixture } from '@open-wc/testing';
import { html } from 'lit';
import { TestBff } from '../_bff.ts';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import '../define.ts';
import { languages } from '../locales/languages.ts';
import { loadThreadStrings } from '../locales/thread/thread-languages.ts';
import { until } from '../_until.ts';
import { openSignedIn, openBox } from './comments/_box.ts';
import { openThread, lists, listed } from './thread/_thread.ts';

const instance = 'urn:vestibule:request:0f9a3c51-7d1e-4c22-9a55-0123456789ab';
const REFERENCE = 'Reference: 0f9a3c51';

const failing = (problem: NonNullable<ScriptedAnswer['problem']>): ScriptedAnswer => ({ problem, instance });

afterEach(() => localStorage.clear());

describe('the reference of a failure', () => {
  for (const problem of ['internal-error', 'service-refused', 'post-rejected', 'outcome-unknown', 'forum-not-allowed'] as const) {
    it(`stands below the words of a post that failed: ${problem}`, async () => {
      const box = await openSignedIn();
      await box.bff.set({ answers: { 'POST /posts': [failing(problem)] } });
      box.write('hello');
      await box.press('Post comment');
      await box.until(() => box.alert.endsWith(REFERENCE), REFERENCE);
    });
  }

  it('stands below the words of a session that cannot be requested, outside the live region', async () => {
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /session': [{ ...failing('service-unavailable'), headers: { 'Retry-After': '50' } }, failing('internal-error')] } });
    const box = await openBox({ bff });
    await box.says(REFERENCE);
    expect(box.status).not.to.contain('Reference');
    await box.press('Try again');
    await box.until(() => box.alert.endsWith(REFERENCE), 'the reference of a failure that is not repeated');
  });

  it('is selected as a whole by a click', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [failing('internal-error')] } });
    box.write('hello');
    await box.press('Post comment');
    await box.says(REFERENCE);
    const id = box.element.shadowRoot!.querySelector('.reference bdi')!;
    expect([id.textContent, getComputedStyle(id).userSelect]).to.deep.equal(['0f9a3c51', 'all']);
  });

  it('is absent where no response of the BFF came', async () => {
    for (const answer of [{ cut: true }, { status: 502, text: '<title>Bad gateway</title>' }, { problem: 'internal-error' }] as const) {
      const box = await openSignedIn();
      await box.bff.set({ answers: { 'POST /posts': Array(5).fill({ ...answer, headers: { 'Retry-After': '0' } }) } });
      box.write('hello');
      await box.press('Post comment');
      await box.until(() => box.alert || box.button('Stop trying'), 'the failure');
      expect(box.words).not.to.contain('Reference');
      box.element.remove();
    }
  });

  it('is the whole id if that is not a random one', async () => {
    for (const [id, shown] of [['0F9A3C517D1E4C229A550123456789AB', '0F9A3C51'], ['edge-7.2026:000001', 'edge-7.2026:000001'], ['01890a5d-ac96-774b-bcce-b302099a8057', '01890a5d-ac96-774b-bcce-b302099a8057']] as const) {
      const bff = new TestBff();
      await lists(bff, { problem: 'not-found', instance: `urn:vestibule:request:${id}` });
      const thread = await openThread({ bff });
      await thread.says('could not be loaded');
      expect(thread.text).to.match(new RegExp(`Reference: ${shown}$`));
    }
  });

  it('stands below the words of a thread that failed, and of more posts', async () => {
    const bff = new TestBff();
    await lists(bff, failing('internal-error'), { posts: [listed('1')], next_cursor: 'c' }, failing('internal-error'), { posts: [] });
    const thread = await openThread({ bff });
    await thread.says(REFERENCE);
    await thread.press('Try again');
    await thread.says('post 1');
    expect(thread.text).not.to.contain('Reference');
    await thread.press('Show more comments');
    await thread.says(REFERENCE);
  });

  describe('in the validation form', () => {
    const offer = { id: 'sync', user: { user_id: '42', username: 'Ada' }, forum: 'news', form: { fields: [] } };

    async function submit(answer: ScriptedAnswer, lang = 'en'): Promise<() => string> {
      const bff = new TestBff();
      await bff.setSession({ state: 'validating', sync: offer });
      await bff.set({ answers: { 'POST /sync/validation': [answer] } });
      const form = (await fixture(html`<div><vestibule-sync bff=${bff.url} lang=${lang}></vestibule-sync></div>`)).firstElementChild!;
      const text = () => form.shadowRoot!.textContent.replace(/\s+/g, ' ').trim();
      await until(() => form.shadowRoot?.querySelector('.primary') && text().includes('Ada'), 'the form');
      form.shadowRoot!.querySelector<HTMLButtonElement>('.primary')!.click();
      await until(() => form.shadowRoot!.querySelector('[role=alert], .badge.refused'), 'the failure');
      return text;
    }

    it('stands below the words of a failure that can be repeated, and of one that ends the sign-in', async () => {
      for (const problem of ['internal-error', 'service-unavailable', 'user-mismatch', 'service-refused'] as const) {
        expect((await submit(failing(problem)))(), problem).to.contain(REFERENCE);
        expect((await submit({ problem }))(), problem).not.to.contain('Reference');
      }
    });

    it('is in each language, in the box and in the thread too', async () => {
      for (const [tag, load] of Object.entries(languages)) {
        const words = (await load()).problems.reference.replace('{id}', '0f9a3c51');
        const text = await submit(failing('user-mismatch'), tag);
        await until(() => text().includes(words), `${tag}: ${words}`);
        expect((await loadThreadStrings(tag))?.reference.replace('{id}', '0f9a3c51')).to.equal(words);
      }
    });
  });
});
