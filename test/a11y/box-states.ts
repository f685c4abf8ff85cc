/** The states of `<vestibule-comments>`. */

import type { ListedPost, SessionView } from '@vestibule/shared';
import type { ScriptedAnswer } from '../../packages/widget/testing/scripted-bff.ts';
import type { State, Step } from './state.ts';

const limits = { message_max_length: 10_000 };
const user = { user_id: '42', username: 'Ada Quill' };
const anonymous: SessionView = { state: 'anonymous', limits };
const signedIn: SessionView = { state: 'signed-in', user, limits };
const validating: SessionView = {
  state: 'validating', limits,
  sync: {
    id: 'sync-of-ada', user, forum: 'news',
    form: { fields: [{ name: 'rules', type: 'checkbox', label: 'I accept the house rules', required: true }] },
  },
};

const TEXT = 'The old lamps hummed, too. I lived on Net Lane for thirty years and fell asleep to it every night.';

const write: Step = { write: TEXT };
const press: Step = { press: 'Post comment' };

const box = (name: string, shows: string, state: Omit<State, 'name' | 'tag' | 'shows'> = {}): State => (
  { name, tag: 'vestibule-comments', shows, bff: { session: signedIn }, ...state }
);

/** The reader has pressed the main button. */
const posting = (name: string, shows: string, answer: ScriptedAnswer): State => (
  box(name, shows, { bff: { session: signedIn, answers: { 'POST /posts': [answer] } }, steps: [write, press] })
);

const listed = (id: string, username: string, hoursAgo: number, message: string): ListedPost => (
  { id, author: { username }, message, created_at: new Date(Date.now() - hoursAgo * 3_600_000).toISOString() }
);
const posts: readonly ListedPost[] = [
  listed('4', 'Jörg Ünterwald', 2, 'Keep her. The new lamps at the station hum in B flat.'),
  listed('3', 'Σοφία Λάσκαρη', 7, 'The town publishes what gaslight costs:\n\nhttps://www.example.com/courier/lamps (page 4)'),
  listed('2', 'حنان الصايغ', 30, 'كان في حيّنا مصباح واحد بقي يعمل بالغاز حتى عام 1998.'),
  listed('1', 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3), 76, 'A long one. '.repeat(150)),
];

const thread = (name: string, shows: string, answers: readonly ScriptedAnswer[]): State => (
  box(name, shows, { attributes: { 'show-posts': '' }, bff: { session: anonymous, answers: { 'GET /posts': answers } } })
);

/** Three states concern the whole page and cannot be shown beside others: a second stage or a form whose script does not load
 *  (`test/e2e/failed-chunks.test.ts`), and a browser that is offline (`session.test.ts` of the box). */
export const boxStates: readonly State[] = [
  box('signed-out', 'Sign in to post', { bff: { session: anonymous } }),
  box('before-the-first-answer', 'Your comment', { pending: ['GET /session'] }),
  box('signed-in', 'Commenting as', { steps: [write] }),
  box('first-stage', 'Your comment', { attributes: { 'data-untouched': '' } }),
  box('in-a-window', 'Finish signing in in the other window.', {
    bff: { session: anonymous }, attributes: { 'data-windows': 'open' }, steps: [write, { press: 'Sign in to post' }],
  }),
  box('window-blocked', 'Your browser blocked the sign-in window', {
    bff: { session: anonymous, answers: { 'GET /sync/authorize': [{ status: 204, text: '' }] } },
    steps: [write, { press: 'Sign in to post' }],
  }),
  box('window-forgotten', 'The sign-in was not finished in time.', {
    bff: { session: anonymous }, attributes: { 'data-windows': 'open' },
    steps: [write, { press: 'Sign in to post', msAgo: 10 * 60_000 }],
  }),
  box('leave-with-text-that-is-not-kept', 'Continue in this page', {
    bff: { session: anonymous }, attributes: { sync: 'inline' },
    steps: [{ write: 'A text that will not be kept.' }, { press: 'Sign in to post' }],
  }),
  box('sign-in-first', 'Your text is kept on this device.', {
    bff: { session: anonymous }, attributes: { 'data-untouched': '' }, steps: [write, press],
  }),
  box('confirm', 'You are about to sign in as', { bff: { session: anonymous }, attributes: { 'data-callback': 'granted' } }),
  box('starting', 'One moment…', {
    bff: { session: anonymous }, pending: ['POST /sync'], attributes: { 'data-callback': 'granted', 'data-windows': 'open' },
    steps: [{ press: 'Continue as Ada Quill' }],
  }),
  box('link-incomplete', 'This sign-in link is incomplete.', { bff: { session: anonymous }, attributes: { 'data-callback': 'invalid' } }),
  box('unfinished', 'is not finished yet', { bff: { session: validating } }),
  box('cancelling', 'One moment…', {
    bff: { session: validating }, pending: ['POST /sync/cancel'], attributes: { 'data-windows': 'open' },
    steps: [{ press: 'Cancel' }],
  }),
  box('offer-beside-a-session', 'is not finished yet', {
    bff: { session: { ...validating, state: 'signed-in', user: { user_id: '7', username: 'Grace Finch' } } },
  }),
  box('form-in-the-page', 'I accept the house rules', { bff: { session: validating }, attributes: { sync: 'inline' } }),
  box('posting', 'Posting…', { pending: ['POST /posts'], steps: [write, press] }),
  box('posted', 'Your comment is posted.', { steps: [write, press] }),
  posting('trying-again', 'Trying again in', { problem: 'service-unavailable', headers: { 'Retry-After': '50' } }),
  box('stopped', 'Stopped.', {
    bff: { session: signedIn, answers: { 'POST /posts': [{ problem: 'service-unavailable', headers: { 'Retry-After': '50' } }] } },
    steps: [write, press, { press: 'Stop trying' }],
  }),
  posting('refused', 'It says:', { problem: 'service-refused', detail: 'This forum is closed for the night.' }),
  posting('rejected-by-the-site', 'did not accept this comment', { problem: 'post-rejected', detail: 'Comments on this article are closed.' }),
  posting('perhaps-posted', 'I can see it', { problem: 'outcome-unknown' }),
  posting('still-in-progress', 'It is not certain whether this comment was posted.', {
    problem: 'post-in-progress', headers: { 'Retry-After': '600' },
  }),
  posting('session-over', 'Your text is kept on this device.', { problem: 'not-signed-in' }),
  box('empty', 'Write something first.', { steps: [press] }),
  box('near-the-limit', 'characters left', { attributes: { 'max-length': String(TEXT.length + 7) }, steps: [write] }),
  box('too-long', 'This comment is too long.', { attributes: { 'max-length': '80' }, steps: [write, press] }),
  ...(['declined', 'rejected', 'already-granted'] as const).map((notice) => box(notice, {
    declined: 'Access was not allowed', rejected: 'did not accept the sign-in', 'already-granted': 'You’ve already allowed access',
  }[notice], { bff: { session: { ...anonymous, notice } } })),
  box('not-allowed', 'This page is not allowed', { bff: { answers: { 'GET /session': Array(9).fill({ problem: 'cross-site-request' }) } } }),
  box('no-answer', 'Trying again…', {
    bff: { answers: { 'GET /session': Array(9).fill({ problem: 'service-unavailable', headers: { 'Retry-After': '50' } }) } },
  }),
  box('checking', 'One moment…', { pending: ['GET /session'], steps: [write, press] }),
  box('cookie-blocked', 'your browser does not let this page use the sign-in', {
    bff: { session: anonymous }, attributes: { 'data-windows': 'open' },
    steps: [write, { press: 'Sign in to post' }, { message: 'signed-in' }],
  }),
  box('granted-before', 'Withdraw this site’s access', {
    bff: { session: anonymous }, attributes: { 'data-windows': 'open' },
    steps: [{ press: 'Sign in to post' }, { message: 'already-granted' }],
  }),
  box('confirm-sign-out', 'Signing out deletes your unposted text', { steps: [write, { press: 'Sign out' }] }),
  box('signing-out', 'One moment…', { pending: ['DELETE /session'], steps: [{ press: 'Sign out' }] }),
  box('signed-out-just-now', 'You are signed out.', { steps: [{ press: 'Sign out' }] }),
  box('discarded', 'Your draft was deleted.', { steps: [write, { press: 'Delete draft' }] }),
  box('another-draft', 'There is another unposted text', {
    steps: [write, { elsewhere: 'From the train: the lamps on the quay are lit by hand as well.' }, { write: `${TEXT} Really.` }],
  }),
  box('not-kept', 'This browser cannot keep your text.', { steps: [{ write: 'A text that will not be kept.' }] }),

  box('a-name-that-is-long', 'Commenting as', {
    bff: { session: { ...signedIn, user: { user_id: '7', username: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3) } } },
  }),
  thread('thread', 'Show more comments', [{ json: { posts, next_cursor: 'next' } }]),
  box('thread-with-a-new-comment', 'Your new comment', {
    attributes: { 'show-posts': '' }, bff: { session: signedIn, answers: { 'GET /posts': [{ json: { posts: posts.slice(0, 2) } }] } }, steps: [write, press],
  }),
  box('thread-that-loads', 'Loading comments…', {
    attributes: { 'show-posts': '' }, bff: { session: anonymous }, pending: ['GET /posts'],
  }),
  thread('thread-that-is-empty', 'No comments yet.', [{ json: { posts: [] } }]),
  thread('thread-that-failed', 'The comments could not be loaded.', [{ problem: 'internal-error' }]),
  box('always-light', 'Commenting as', { attributes: { theme: 'light' }, steps: [write] }),
  box('always-dark', 'Commenting as', { attributes: { theme: 'dark' }, steps: [write] }),
  box('words-of-the-page', 'Commenting as', { attributes: { placeholder: 'What do you remember of the lamps?' } }),
];
