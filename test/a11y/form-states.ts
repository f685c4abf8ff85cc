/** The states of `<vestibule-sync>`. */

import type { FormField, SessionView, SyncReturn } from '@vestibule/shared';
import type { ScriptedAnswer } from '../../packages/widget/testing/scripted-bff.ts';
import type { State, Step } from './state.ts';

const limits = { message_max_length: 10_000 };
const user = { user_id: '42', username: 'Ada Quill' };
const completionUrl = 'https://service.example/audiencesync/complete/?success=1';

/** Every type of question. */
const fields: readonly FormField[] = [
  { name: 'age', type: 'number', label: 'Your age', help: 'The comments are for adults.', required: true, min: 18 },
  { name: 'neighbourhood', type: 'text', label: 'Your neighbourhood', required: false, max_length: 60 },
  { name: 'mail', type: 'email', label: 'Your e-mail address', required: false },
  { name: 'since', type: 'date', label: 'A reader since', required: false },
  {
    name: 'reads', type: 'select', label: 'How do you read us?', required: false,
    options: [{ value: 'paper', label: 'On paper' }, { value: 'screen', label: 'On a screen' }],
  },
  { name: 'rules', type: 'checkbox', label: 'I accept the house rules', required: true },
];

const anonymous: SessionView = { state: 'anonymous', limits };
const sync = { id: 'sync-of-ada', user, forum: 'news', form: { fields } };
const validating: SessionView = { state: 'validating', limits, sync };
const withoutQuestions: SessionView = { ...validating, sync: { ...sync, form: { fields: [] } } };

const syncReturn: SyncReturn = { code: 'c0de', ...user, audiencesync_uri: 'https://service.example/audiencesync/complete/' };

const answered: readonly Step[] = [{ write: '34', into: 'Your age' }, { write: 'yes', into: 'I accept the house rules' }];
const submit = { press: 'Finish signing in' } satisfies Step;

const form = (name: string, shows: string, state: Omit<State, 'name' | 'tag' | 'shows'> = {}): State => (
  { name, tag: 'vestibule-sync', shows, bff: { session: validating }, ...state }
);

/** The reader has submitted the answers. */
const sent = (name: string, shows: string, answer: ScriptedAnswer): State => (
  form(name, shows, { bff: { session: validating, answers: { 'POST /sync/validation': [answer] } }, steps: [...answered, submit] })
);

export const formStates: readonly State[] = [
  form('loading', 'One moment…', { pending: ['GET /session'] }),
  form('confirm-return', 'Continue as', { bff: { session: anonymous }, syncReturn }),
  form('questions', 'Before you comment'),
  form('no-questions', 'Continue as', { bff: { session: withoutQuestions } }),
  form('missing-answers', 'Please look at these 2 answers again:', { steps: [submit] }),
  sent('answers-refused', 'Please look at this answer again:', {
    problem: 'invalid-answers', fields: { neighbourhood: 'No such neighbourhood is known here.' },
  }),
  form('checking-answers', 'Checking your answers…', { pending: ['POST /sync/validation'], steps: [...answered, submit] }),
  form('slow', 'This is taking longer than usual.', {
    pending: ['POST /sync/validation'], steps: [...answered, { ...submit, msAgo: 5000 }],
  }),
  sent('try-again', 'not available right now', { problem: 'service-unavailable' }),
  sent('user-changed', 'not the one you were shown', { problem: 'user-changed', user: { ...user, username: 'Ada Quill-Byron' } }),
  sent('superseded', 'A newer sign-in has replaced the earlier one.', {
    problem: 'no-sync-in-progress', session: { ...validating, sync: { ...sync, id: 'newer', user: { user_id: '7', username: 'Grace Finch' } } },
  }),
  sent('accepted', 'You are signed in', { json: { outcome: 'accepted', completion_url: completionUrl } }),
  sent('turned-away', 'This site did not accept the sign-in', {
    json: { outcome: 'rejected', completion_url: completionUrl, reason: 'The comments are for readers of 18 and more.' },
  }),
  sent('failed', 'The sign-in failed', { problem: 'service-refused', detail: 'This account is closed.' }),
  form('failed-in-a-window-that-stays', 'Your browser kept this window open.', {
    attributes: { 'opener-origins': 'https://www.example.com' },
    bff: { session: validating, answers: { 'POST /sync/validation': [{ problem: 'service-refused', detail: 'This account is closed.' }] } },
    steps: [...answered, submit, { press: 'Close this window' }],
  }),
  form('cancelled', 'Sign-in cancelled', { bff: { session: anonymous }, syncReturn, steps: [{ press: 'Not you? Cancel' }] }),
  form('access-denied', 'Access was not allowed', { bff: { session: { ...anonymous, notice: 'declined' } } }),
  form('access-granted-before', 'You’ve already allowed access', { bff: { session: { ...anonymous, notice: 'already-granted' } } }),
  form('signed-in-already', 'You are signed in', { bff: { session: { state: 'signed-in', user, limits } } }),
  form('nothing-to-do', 'Nothing to do here', {
    bff: { session: anonymous }, slotted: '<a slot="back" class="back" href="/">To the front page</a>',
  }),
  form('not-possible', 'Signing in is not possible right now', { bff: { answers: { 'GET /session': [{ problem: 'service-unavailable' }] } } }),
];
