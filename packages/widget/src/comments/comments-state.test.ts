/** The table of transitions: what each event does in each phase. */

import { expect } from '@open-wc/testing';
import type { WidgetProblem } from '../client/problem.ts';
import { busyPhases, transition, type BoxEvent, type BoxState, type Facts, type Phase } from './comments-state.ts';

const problem: WidgetProblem = { type: 'urn:vestibule:service-refused', title: '', status: 502, detail: '', retryable: false };
const syncReturn = { code: 'c', username: 'Ada', user_id: '42', audiencesync_uri: 'https://service.example/' };

const facts: Facts = {
  isSignedIn: false, isKnown: true, isExpected: false, isInline: false, callback: undefined, hasSync: false, isWindowOpen: true,
  hasText: true, hasSeenName: false, isPressFinished: false, isPressedElsewhere: false, isOfOther: false, fault: undefined,
  isSafe: true, wouldLoseText: true, isInDoubt: false,
};
const signedIn: Partial<Facts> = { isSignedIn: true };

const phases: Readonly<Record<Phase['name'], Phase>> = {
  writing: { name: 'writing' }, expecting: { name: 'expecting', text: 'a' }, waiting: { name: 'waiting' },
  leaving: { name: 'leaving', isBlocked: true },
  starting: { name: 'starting', syncReturn }, form: { name: 'form' }, cancelling: { name: 'cancelling' },
  'cookie-blocked': { name: 'cookie-blocked' }, 'confirming-sign-out': { name: 'confirming-sign-out', isInDoubt: false },
};

const press: BoxEvent = { type: 'press', text: 'a', isSameText: true };
const arrival: BoxEvent = { type: 'session', isFirst: false, isBack: false, isOtherAccount: false };

/** From, event, facts, to, text of the message, effects. */
const rows: readonly (readonly [Phase['name'], BoxEvent, Partial<Facts>, Phase['name'], (string | undefined)?, string?])[] = [
  ['writing', press, signedIn, 'writing', undefined, 'post'],
  ['writing', press, { ...signedIn, fault: 'empty' }, 'writing', 'empty'],
  ['writing', { ...press, isSameText: false }, signedIn, 'writing', 'oneMoreStep'],
  ['writing', press, { isKnown: false, isExpected: true }, 'expecting', undefined, 'refresh'],
  ['writing', press, {}, 'waiting', undefined, 'watch open-authorize'],
  ['writing', press, { fault: 'tooLong' }, 'writing', 'tooLong'],
  ['writing', press, { hasSync: true }, 'waiting', undefined, 'watch open-form'],
  ['writing', press, { callback: syncReturn }, 'starting', undefined, 'watch open-empty start-sync'],
  ['writing', press, { hasSync: true, isInline: true }, 'form', undefined, 'end-watch load-form'],
  ['waiting', { type: 'blocked' }, {}, 'leaving', undefined, 'end-watch'],
  ['waiting', { type: 'blocked' }, { hasSync: true }, 'form', undefined, 'end-watch load-form'],
  ['starting', { type: 'blocked' }, {}, 'form', undefined, 'end-watch load-form'],
  ['writing', press, { isInline: true }, 'writing', undefined, 'leave'],
  ['writing', press, { isInline: true, isSafe: false }, 'leaving'],
  ['expecting', { type: 'settled', hasFailed: false, isSameText: true }, { ...signedIn, hasSeenName: true }, 'writing', undefined, 'carry-out-press'],
  ['expecting', { type: 'settled', hasFailed: false, isSameText: false }, { ...signedIn, hasSeenName: true }, 'writing', 'oneMoreStep'],
  ['expecting', { type: 'settled', hasFailed: false, isSameText: true }, signedIn, 'writing', 'oneMoreStep'],
  ['expecting', { type: 'settled', hasFailed: false, isSameText: true }, {}, 'writing', 'signInFirst'],
  ['expecting', { type: 'settled', hasFailed: true, isSameText: true }, {}, 'writing'],
  ['expecting', { type: 'edit' }, {}, 'writing'],
  ['waiting', press, {}, 'waiting', undefined, 'show-window'],
  ['waiting', press, { isWindowOpen: false }, 'waiting', undefined, 'watch open-authorize'],
  ['waiting', { type: 'article-changed' }, {}, 'waiting', undefined, ''],
  ['waiting', { type: 'removed' }, {}, 'writing', undefined, 'leave-watch'],
  ['waiting', arrival, signedIn, 'writing', 'oneMoreStep', 'end-watch'],
  ['waiting', arrival, { ...signedIn, hasText: false }, 'writing', 'signedIn', 'end-watch'],
  ['waiting', arrival, { ...signedIn, isPressFinished: true }, 'writing', undefined, 'end-watch carry-out-press'],
  ['waiting', arrival, { ...signedIn, hasText: false, isPressedElsewhere: true }, 'writing', 'oneMoreStep', 'end-watch'],
  ['waiting', arrival, { ...signedIn, hasText: false, isOfOther: true }, 'writing', 'otherAccount', 'end-watch'],
  ['writing', { type: 'window-finished' }, { ...signedIn, isPressFinished: true }, 'writing', undefined, 'carry-out-press'],
  ['writing', { type: 'window-finished' }, signedIn, 'writing'],
  ['writing', { type: 'press-failed' }, signedIn, 'writing', 'oneMoreStep'],
  ['waiting', { type: 'window-closed' }, {}, 'writing', 'windowClosed', 'end-watch'],
  ['waiting', { type: 'cookie-missing' }, {}, 'cookie-blocked', undefined, 'end-watch hint-cookie'],
  ['waiting', { type: 'notice', notice: { id: '1', kind: 'declined' } }, {}, 'writing', 'declined', 'end-watch'],
  ['waiting', { type: 'cancel' }, {}, 'writing', undefined, 'close-window end-watch'],
  ['waiting', { type: 'cancel' }, { hasSync: true }, 'cancelling', undefined, 'cancel-sync'],
  ['starting', { type: 'sync-started' }, {}, 'waiting', undefined, 'drop-callback show-form'],
  ['starting', { type: 'refused', problem }, {}, 'writing', 'problem', 'close-window end-watch drop-callback'],
  ['form', { type: 'form-closed' }, {}, 'writing', undefined, 'drop-callback refresh'],
  ['writing', { type: 'sign-out-asked' }, signedIn, 'confirming-sign-out', undefined, 'end-watch'],
  ['confirming-sign-out', { type: 'sign-out' }, signedIn, 'writing', undefined, 'end-watch sign-out'],
  ['writing', { type: 'sign-out-asked' }, { ...signedIn, wouldLoseText: false }, 'writing', undefined, 'end-watch sign-out'],
  ['writing', { type: 'signed-out' }, {}, 'writing', 'signedOut'],
  ['writing', { type: 'notice', notice: { id: '1', kind: 'already-granted' } }, signedIn, 'writing'],
  ['confirming-sign-out', { ...arrival, isOtherAccount: true }, signedIn, 'writing', 'oneMoreStep'],
  ['writing', { type: 'session-over' }, signedIn, 'writing', undefined, 'end-session'],
  ['writing', { type: 'other-account' }, signedIn, 'writing', 'otherAccount', 'refresh'],
];

describe('a transition of the comment box', () => {
  for (const [from, event, given, to, text, effects = ''] of rows) {
    it(`of ${from} at ${event.type} leads to ${to}${text ? `, “${text}”` : ''}: ${JSON.stringify(given)}`, () => {
      const { state, change } = transition({ phase: phases[from], message: undefined }, event, { ...facts, ...given });
      expect([state.phase.name, state.message?.text, (change.effects ?? []).join(' ')]).to.deep.equal([to, text, effects]);
    });
  }

  for (const [given, focus] of [
    [{}, 'field-on-return'], [{ isPressFinished: true }, undefined], [{ isPressFinished: true, isPressedElsewhere: true }, 'field-on-return'],
  ] as const) {
    it(`of a sign-in to its session gives the focus to ${focus ? 'the field' : 'what the press leads to'}: ${JSON.stringify(given)}`, () => {
      const { change } = transition({ phase: phases.waiting, message: undefined }, arrival, { ...facts, ...signedIn, ...given });
      expect(change.focus).to.equal(focus);
    });
  }

  it('is never begun by a press while the box waits for the BFF', () => {
    for (const name of busyPhases) {
      const state: BoxState = { phase: phases[name], message: undefined };
      for (const event of [press, { type: 'sign-in' }] as const) expect(transition(state, event, facts).state).to.deep.equal(state);
    }
  });
});
