/** The states of both elements: the responses of the BFF, and the steps of a reader. Parts that do not load are tested
 *  elsewhere. */

import type { FormField, ListedPost, PostList, SessionView, SyncOffer } from '@vestibule/shared';
import type { BffScript, ScriptedAnswer } from '../../packages/widget/testing/scripted-bff.ts';

export interface State {
  /** Path segment. */
  readonly name: string;
  readonly tag: 'vestibule-comments' | 'vestibule-sync';
  readonly attributes?: Readonly<Record<string, string>>;
  readonly bff?: BffScript;
  /** `METHOD path` of a request that gets no response. */
  readonly pending?: string;
  /** Query of the page. Such a state has a page of its own. */
  readonly query?: string;
  /** The reader does not turn to the box. */
  readonly isUntouched?: true;
  /** The browser has no network. Such a state has a page of its own. */
  readonly isOffline?: true;
  /** The browser has a hint of a session. */
  readonly isExpected?: true;
  /** The browser opens windows. */
  readonly opensWindows?: true;
  /** Steps in order; each waits for its control. */
  readonly steps?: readonly Step[];
  /** Visible text once the state is reached. */
  readonly shows: string;
}

/** Types into the field whose label contains `into`, by default the first, once the words `after` are there; presses the button
 *  with this text; sets an attribute; receives a message of the sign-in window; or comes back from the back/forward cache, which
 *  needs a page of its own. */
export type Step =
  | { readonly write: string; readonly into?: string; readonly after?: string }
  | { readonly press: string }
  | { readonly set: string }
  | { readonly announce: string }
  | { readonly restore: true };

type Options = Omit<State, 'name' | 'tag' | 'shows'>;

const limits = { message_max_length: 10_000 };
const user = { user_id: '42', username: 'Ada Quill' };
const anonymous: SessionView = { state: 'anonymous', limits };
const signedIn: SessionView = { state: 'signed-in', user, limits };
const unavailable: ScriptedAnswer = { problem: 'service-unavailable', headers: { 'Retry-After': '50' } };
const rules: FormField = { name: 'rules', type: 'checkbox', label: 'I accept the house rules', required: true };

const validatingWith = (fields: readonly FormField[], more: Partial<SyncOffer> = {}): SessionView => (
  { state: 'validating', limits, sync: { id: 'sync-of-ada', user, forum: 'news', form: { fields }, ...more } }
);
const offered = validatingWith([rules]);
const callback = `?${new URLSearchParams({ code: 'c0de', ...user, audiencesync_uri: 'https://service.example/audiencesync/complete/' })}`;

const TEXT = 'The old lamps hummed, too. I lived on Net Lane for thirty years and fell asleep to it every night.';
const write: Step = { write: TEXT };
const writeSignedIn: Step = { write: TEXT, after: 'Commenting as' };
const press: Step = { press: 'Post comment' };
const signIn: Step = { press: 'Sign in and post' };

const box = (name: string, shows: string, state: Options = {}): State => (
  { name, tag: 'vestibule-comments', shows, bff: { session: signedIn }, ...state }
);
const signedOut = (name: string, shows: string, state: Options = {}): State => (
  box(name, shows, { bff: { session: anonymous }, ...state })
);

/** The reader has pressed the main button. */
const posting = (name: string, shows: string, answer: ScriptedAnswer, ...more: readonly Step[]): State => (
  box(name, shows, { bff: { session: signedIn, answers: { 'POST /posts': [answer] } }, steps: [write, press, ...more] })
);

const listed = (id: string, username: string, hoursAgo: number, message: string, more: Partial<ListedPost> = {}): ListedPost => ({
  id, author: { username }, message, created_at: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(), ...more,
});
const posts: readonly ListedPost[] = [
  listed('listed-4', 'Σοφία Λάσκαρη', 7, 'The town publishes what gaslight costs:\n\nhttps://www.example.com/courier/lamps (page 4)'),
  listed('listed-3', 'Ada Quill', 8, 'Thank you.', { parent_id: 'listed-2', author: { username: 'Ada Quill', badge: 'Editor' } }),
  listed('listed-2', 'حنان الصايغ', 30, 'كان في حيّنا مصباح واحد بقي يعمل بالغاز حتى عام 1998.', { parent_id: 'listed-1' }),
  listed('listed-1', 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3), 76, 'A long one. '.repeat(50)),
];
const list: PostList = { posts: [...posts], replies: true, total: 14, next_cursor: 'next' };

/** With a thread. The reader is not signed in. */
const thread = (name: string, shows: string, lists: readonly ScriptedAnswer[], { attributes, ...state }: Options = {}): State => (
  signedOut(name, shows, {
    bff: { session: anonymous, answers: { 'GET /posts': lists } }, attributes: { 'show-posts': '', ...attributes }, ...state,
  })
);

/** The reader has posted. */
const threadOfOwn = (name: string, shows: string, state: 'published' | 'pending'): State => box(name, shows, {
  attributes: { 'show-posts': '' },
  bff: { session: signedIn, answers: {
    'GET /posts': [{ json: list }],
    'POST /posts': [{ status: 201, json: { post: { id: 'own' }, listed: { ...listed('own', user.username, 0, TEXT), state } } }],
  } },
  steps: [write, press],
});

const boxStates: readonly State[] = [
  signedOut('untouched', 'Sign in to comment', { isUntouched: true }),
  signedOut('signed-out', 'Sign in and post', { steps: [write] }),
  box('before-the-first-answer', 'Your comment', { pending: 'GET /session' }),
  box('signed-in', 'Commenting as', { steps: [writeSignedIn] }),
  box('expected', 'Commenting as', { isExpected: true, pending: 'GET /session', steps: [write] }),
  signedOut('in-a-window', 'Continue in the sign-in window.', { opensWindows: true, steps: [write, signIn] }),
  signedOut('window-blocked', 'Your browser blocked the sign-in window', { steps: [write, signIn] }),
  signedOut('leave-with-text-that-is-not-kept', 'Sign in on this page', {
    attributes: { sync: 'inline' }, steps: [{ write: 'A text that will not be kept.' }, signIn],
  }),
  signedOut('cookie-blocked', 'does not let this page use the sign-in', {
    opensWindows: true, steps: [write, signIn, { announce: 'signed-in' }],
  }),
  signedOut('confirm', 'Continue as Ada Quill', { query: callback }),
  signedOut('link-incomplete', 'This sign-in link is incomplete.', { query: `${callback}&code=another` }),
  box('offline', 'Waiting for a connection…', { query: '', isOffline: true, steps: [write, press] }),
  box('form-in-the-page', 'I accept the house rules', { bff: { session: offered }, attributes: { sync: 'inline' } }),
  box('posting', 'Posting…', { pending: 'POST /posts', steps: [write, press] }),
  box('posted', 'Your comment is posted.', { steps: [write, press] }),
  box('held', 'Only you see this until it is approved.', {
    bff: { session: signedIn, answers: { 'POST /posts': [{ status: 201, json: { post: { id: '1', isApproved: false }, listed: { state: 'pending' } } }] } },
    steps: [write, press],
  }),
  posting('trying-again', 'Not posted yet. Trying again.', unavailable),
  posting('not-posted', 'Not posted:', { problem: 'too-many-requests', headers: { 'Retry-After': '600' } }),
  posting('refused', 'This was not accepted.', { problem: 'service-refused', detail: 'This forum is closed for the night.' }),
  posting('rejected-by-the-site', 'do not allow this comment', { problem: 'post-rejected', detail: 'Comments on this article are closed.' }),
  posting('deleted', 'Delete this comment?', { problem: 'post-rejected', detail: 'Please be kind.' }, { press: 'Delete' }),
  posting('perhaps-posted', 'Please look for it in the comments.', { problem: 'outcome-unknown' }),
  posting('session-over', 'Sign in and post', { problem: 'not-signed-in' }),
  box('empty', 'Write something first.', { steps: [press] }),
  box('near-the-limit', 'characters left', { attributes: { 'max-length': String(TEXT.length + 7) }, steps: [writeSignedIn] }),
  box('too-long', 'characters too many', { attributes: { 'max-length': '80' }, steps: [writeSignedIn] }),
  signedOut('declined', 'You did not allow access', { bff: { session: { ...anonymous, notice: { id: 'declined', kind: 'declined' } } } }),
  signedOut('rejected', 'You must be 18', {
    bff: { session: { ...anonymous, notice: { id: 'rejected', kind: 'rejected', reason: 'You must be 18 or older to comment here.' } } },
  }),
  signedOut('already-granted', 'You allowed this before', { bff: { session: { ...anonymous, notice: { id: 'already-granted', kind: 'already-granted' } } } }),
  box('not-allowed', 'not available on this page', { bff: { answers: { 'GET /session': Array(9).fill({ problem: 'cross-site-request' }) } } }),
  box('no-answer', 'Trying again…', { bff: { answers: { 'GET /session': Array(9).fill(unavailable) } } }),
  box('confirm-sign-out', 'Sign out? What is not posted is deleted.', { steps: [writeSignedIn, { press: 'Sign out' }] }),
  box('signed-out-just-now', 'You are signed out.', { steps: [{ press: 'Sign out' }] }),
  box('not-kept', 'This browser cannot keep your text.', { steps: [{ write: 'A text that will not be kept.' }] }),
  box('a-name-that-is-long', 'Commenting as', { bff: { session: { ...signedIn, user: { user_id: '7', username: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3) } } } }),
  box('closed', 'Comments on this article are closed.', { attributes: { closed: '' } }),
  box('closed-with-a-text', 'Comments on this article are closed.', { steps: [write, { set: 'closed' }] }),
  thread('thread', 'Show more comments', [{ json: list }], { attributes: { 'report-url': 'https://www.example.com/report?id={id}' } }),
  thread('thread-with-a-marked-comment', 'In reply to', [{ json: list }], { query: '#vestibule-comment-listed-2' }),
  thread('thread-with-new-comments', '2 new comments', [
    { json: { ...list, posts: posts.slice(2), total: 12 } }, { json: list },
  ], { query: '', steps: [{ restore: true }] }),
  thread('thread-that-is-closed', 'Closed after 14 days.', [{ json: { ...list, closed: 'Closed after 14 days.' } }]),
  threadOfOwn('thread-with-a-new-comment', 'Your comment is posted.', 'published'),
  threadOfOwn('thread-with-a-pending-comment', 'Only you see this until it is approved.', 'pending'),
  box('reply', 'Post reply', {
    attributes: { 'show-posts': '' }, bff: { session: signedIn, answers: { 'GET /posts': [{ json: list }] } },
    steps: [{ press: 'Reply' }, { write: 'So did I.', into: 'Reply to' }],
  }),
  signedOut('thread-that-loads', 'Loading comments…', { attributes: { 'show-posts': '' }, pending: 'GET /posts' }),
  thread('thread-that-is-empty', 'No comments yet.', [{ json: { posts: [] } }]),
  thread('thread-that-failed', 'The comments could not be loaded.', [{ problem: 'internal-error' }]),
  box('always-light', 'Commenting as', { attributes: { theme: 'light' }, steps: [writeSignedIn] }),
  box('always-dark', 'Commenting as', { attributes: { theme: 'dark' }, steps: [writeSignedIn] }),
];

/** Every type of question. */
const validating = validatingWith([
  { name: 'age', type: 'number', label: 'Your age', help: 'The comments are for adults.', required: true, min: 18 },
  { name: 'neighbourhood', type: 'text', label: 'Your neighbourhood', required: false, max_length: 60 },
  { name: 'mail', type: 'email', label: 'Your e-mail address', required: false },
  { name: 'since', type: 'date', label: 'A reader since', required: false },
  { name: 'reads', type: 'select', label: 'How do you read us?', required: false, options: [{ value: 'paper', label: 'On paper' }] },
  rules,
]);
const submit: Step = { press: 'Continue as Ada Quill' };
const answered: readonly Step[] = [{ write: '34', into: 'Your age' }, { write: 'yes', into: 'I accept the house rules' }, submit];

const form = (name: string, shows: string, state: Options = {}): State => (
  { name, tag: 'vestibule-sync', shows, bff: { session: validating }, ...state }
);
const sent = (name: string, shows: string, answer: ScriptedAnswer): State => (
  form(name, shows, { bff: { session: validating, answers: { 'POST /sync/validation': [answer] } }, steps: answered })
);
const outcome = (json: object): ScriptedAnswer => ({ json: { completion_url: 'https://service.example/audiencesync/complete/', ...json } });

const formStates: readonly State[] = [
  form('loading', 'One moment…', { pending: 'GET /session' }),
  form('confirm-return', 'Continue as', { bff: { session: anonymous }, query: callback }),
  form('questions', 'Before you comment'),
  form('no-questions', 'Continue as', { bff: { session: validatingWith([]) } }),
  form('missing-answers', '2 answers are missing or need a change:', { steps: [submit] }),
  sent('answers-refused', 'No such place.', { problem: 'invalid-answers', fields: { neighbourhood: 'No such place.' } }),
  form('checking-answers', 'Checking your answers…', { pending: 'POST /sync/validation', steps: answered }),
  sent('try-again', 'not available right now', { problem: 'service-unavailable' }),
  sent('user-changed', 'not the one you were shown', { problem: 'user-changed', user: { ...user, username: 'Ada Quill-Byron' } }),
  sent('accepted', 'You are signed in', outcome({ outcome: 'accepted' })),
  sent('turned-away', 'did not accept the sign-in', outcome({ outcome: 'rejected', reason: 'The comments are for readers of 18 and more.' })),
  sent('failed', 'The sign-in did not work', { problem: 'service-refused', detail: 'This account is closed.' }),
  form('access-denied', 'You did not allow access', { bff: { session: { ...anonymous, notice: { id: 'access-denied', kind: 'declined' } } } }),
  form('access-granted-before', 'You allowed this before', { bff: { session: { ...anonymous, notice: { id: 'access-granted-before', kind: 'already-granted' } } } }),
  form('signed-in-already', 'You are signed in', { bff: { session: signedIn } }),
  form('nothing-to-do', 'Nothing to do here', { bff: { session: anonymous } }),
  form('not-possible', 'Signing in is not possible right now', { bff: { answers: { 'GET /session': [{ problem: 'service-unavailable' }] } } }),
];

export const states: readonly State[] = [...boxStates, ...formStates];
