/** The reference of a failure, wherever the elements show one. */

import { expect } from '@open-wc/testing';
import { TestBff } from '../_bff.ts';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import { openBox, openSignedIn } from './_box.ts';
import { finish, validation } from '../form/_sync-fixture.ts';

const instance = 'urn:vestibule:request:0f9a3c51-7d1e-4c22-9a55-0123456789ab';
const REFERENCE = 'Reference: 0f9a3c51';

const failing = (problem: NonNullable<ScriptedAnswer['problem']>): ScriptedAnswer => ({ problem, instance });

describe('the reference of a failure', () => {
  for (const problem of ['internal-error', 'service-refused', 'outcome-unknown', 'forum-not-allowed'] as const) {
    it(`stands below the words of a post that failed: ${problem}`, async () => {
      const box = await openSignedIn();
      await box.bff.set({ answers: { 'POST /posts': [failing(problem)] } });
      await box.post('hello');
      await box.until(() => box.all('.say').some(({ textContent }) => textContent.trim().endsWith(REFERENCE)), REFERENCE);
    });
  }

  it('stands below the words of a session that cannot be requested, outside the live region', async () => {
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /session': [{ ...failing('service-unavailable'), headers: { 'Retry-After': '50' } }] } });
    const box = await openBox({ bff });
    await box.says(REFERENCE);
    expect(box.status).not.to.contain('Reference');
  });

  it('is selected as a whole by a click', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [failing('internal-error')] } });
    await box.post('hello');
    await box.says(REFERENCE);
    const [id] = box.all('bdi').filter(({ textContent }) => textContent === '0f9a3c51');
    expect(getComputedStyle(id!).userSelect).to.equal('all');
  });

  for (const answer of [{ cut: true }, { status: 409, text: '<title>Conflict</title>' }, { problem: 'internal-error' }] as const) {
    it(`is absent where no response of the BFF came, or none with a reference: ${Object.keys(answer).join()}`, async () => {
      const box = await openSignedIn();
      await box.bff.set({ answers: { 'POST /posts': Array(5).fill({ ...answer, headers: { 'Retry-After': '0' } }) } });
      await box.post('hello');
      await box.until(() => box.all('.say').some(({ textContent }) => /^(?:Posting|Not posted|We could not confirm)/.test(textContent)), 'the failure');
      expect(box.words).not.to.contain('Reference');
    });
  }

  for (const [id, shown] of [
    ['0F9A3C517D1E4C229A550123456789AB', '0F9A3C51'], ['edge-7.2026:000001', 'edge-7.2026:000001'],
    ['01890a5d-ac96-774b-bcce-b302099a8057', '01890a5d-ac96-774b-bcce-b302099a8057'],
  ] as const) {
    it(`is the whole id if that is not a random one: ${id}`, async () => {
      const box = await openSignedIn();
      await box.bff.set({ answers: { 'POST /posts': [{ problem: 'service-refused', instance: `urn:vestibule:request:${id}` }] } });
      await box.post('hello');
      await box.says('Not posted');
      expect(box.all('.say').map(({ textContent }) => textContent)[0]).to.match(new RegExp(`Reference: ${shown}$`));
    });
  }

  for (const problem of ['internal-error', 'service-unavailable', 'user-mismatch', 'service-refused'] as const) {
    it(`stands below the words of a sign-in that failed: ${problem}`, async () => {
      for (const answer of [failing(problem), { problem }]) {
        const form = await finish(validation(answer));
        await form.until(() => form.story.includes(`error ${problem}`), 'the failure');
        await form.until(() => form.words.includes(REFERENCE) === 'instance' in answer, REFERENCE);
        expect(form.words.includes('Reference')).to.equal('instance' in answer);
      }
    });
  }
});
