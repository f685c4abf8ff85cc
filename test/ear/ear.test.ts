/** What a reader hears from the first letter to the sign-out: Orca with Firefox and with Chromium, in three languages. Each step
 *  names the sentences that are spoken, once. A sentence that is spoken twice is a fault, and so is silence. Each scene starts a
 *  browser of its own: `EAR=firefox-en-thread` runs one, `EAR=firefox` those of a browser; `EAR_LOG=FILE` appends all that was
 *  spoken. */

import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { plural } from '../../packages/widget/src/locales/phrase.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startDemo, type Demo } from '../site/demo.ts';
import { PAPER } from '../site/pages.ts';
import { questions } from '../site/questions.ts';
import { expectStatus, ReaderClient, setCookies } from '../lib/reader.ts';
import { startDesktop, type Desktop } from './_desktop.ts';
import { begin, Ear, phrasesOf, type Language } from './_ear.ts';

/** How long the BFF takes for these, as over a network: Orca reads a region when it comes to its event, and may find the next
 *  text there by then, which it would speak twice. */
const ANSWER_MS = 1_500;
const SLOW: readonly string[] = ['POST /vestibule/posts', 'DELETE /vestibule/session'];

const [ageQuestion, , , rulesQuestion] = questions as unknown as {
  readonly label: Record<string, string>; readonly reason: Record<string, string>;
}[];

/** Who is signed in: the first reader of the service. */
const READER = 'Ada Quill';

const ANSWERS = { age: 34, rules: true };

/** What a scene needs. */
interface Stage {
  readonly demo: Demo;
  readonly desktop: Desktop;
  readonly ear: Ear;
  readonly language: Language;
  /** The article. */
  readonly page: string;
  /** Opens the article at its comments. @param isSignedIn as a reader who has answered the questions */
  readonly open: (isSignedIn?: boolean) => Promise<void>;
}

const scenes: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  'sign-in': signIn, 'at-rest': signInAtRest, account, outcomes, refused, waiting, unsure, 'sign-out': signOut,
  thread: readThread, replies, 'own-comment': ownComment, closed, 'closed-meanwhile': closedMeanwhile,
};

for (const browserName of ['firefox', 'chromium'] as const) {
  for (const language of ['en', 'de', 'ar'] as const) {
    for (const [scene, play] of Object.entries(scenes)) {
      const name = `${browserName}-${language}-${scene}`;
      it(`a reader hears each outcome once: ${name}`, { skip: !name.startsWith(process.env['EAR'] ?? '') }, async () => {
        await using directory = await temporaryDirectory();
        let cookies: readonly string[] = [];
        const page = '/articles/lamplighter';
        await using demo = await startDemo({
          port: 0, directory: directory.path,
          // Comments that the service keeps: its lists say that an article is closed.
          vestibule: { rateLimits: 'off', logLevel: 'silent', ...(scene === 'closed-meanwhile' && { threads: 'service' }) },
          before: (req, res, next) => {
            if (req.path === '/signed-in') res.set('Set-Cookie', [...cookies]).redirect(`${page}?lang=${language}#comments`);
            else if (SLOW.includes(`${req.method} ${req.path}`)) globalThis.setTimeout(next, ANSWER_MS);
            else next();
          },
        });
        await using desktop = await startDesktop();
        await using stack = new AsyncDisposableStack();
        if (process.env['EAR_LOG']) stack.defer(() => copyFileSync(desktop.log, `${process.env['EAR_LOG']}.orca`));
        const ear = new Ear(desktop, name);
        await play({
          demo, desktop, ear, language, page: demo.url + page,
          open: async (isSignedIn) => {
            if (isSignedIn) cookies = await signedIn(demo);
            stack.use(await desktop.open(browserName, demo.url + (isSignedIn ? '/signed-in' : `${page}?lang=${language}#comments`)));
          },
        });
        assert.deepEqual(ear.faults, []);
      });
    }
  }
}

/** Cookies of a session. */
async function signedIn(demo: Demo): Promise<readonly string[]> {
  const client = clientOf(demo);
  await client.begin();
  return setCookies(await client.validate(ANSWERS));
}

const clientOf = ({ url, service }: Demo): ReaderClient => (
  new ReaderClient({ server: url, path: '/vestibule', origin: url, redirectUri: `${url}/vestibule/sync/return`, service })
);

const accountName = (language: Language): string => phrasesOf(language).comments.account.signedInAs.replace('{name}', READER);

/** From the menu of the account. */
async function pressSignOut({ desktop, ear, language }: Stage): Promise<void> {
  await ear.tabTo(accountName(language));
  await desktop.press('Return', 'Return');
}

async function signIn({ desktop, ear, language, open }: Stage): Promise<void> {
  const { press, type, activate } = desktop;
  const { core, comments, entries, sync } = phrasesOf(language);
  const reason = ageQuestion!.reason[language]!;
  const rejected = sync.endings.rejected.heading.replace('{site}', PAPER);
  const age = ageQuestion!.label[language]!;
  const summary = plural(language, sync.answerErrors.summary, 2);
  const rules = rulesQuestion!.label[language]!;
  /** From the service to the form. */
  const allow = () => press('Tab', 'Tab', 'Return');
  const answer = async (text: string): Promise<void> => {
    await press('Control+a');
    await type(text);
  };

  await open();
  await ear.step('the field', () => ear.tabTo(core.message), [core.message]);
  await type('Heard as well as seen.');
  await ear.step('sign in', async () => { await ear.tabTo(core.signInAndPost); await press('Return'); await activate('Parley'); }, [core.opensWindow], true);
  await ear.step('the form', allow, [sync.questions.heading, begin(sync.questions.signingInAs)], true);
  await ear.step('a question', () => ear.tabTo(age), [age]);
  await ear.step('first failure', () => press('Return'), [summary, sync.answerErrors.required]);
  await answer('abc');
  await ear.step('second failure', () => press('Return'), [summary, sync.answerErrors['not-a-number']]);
  await ear.tabTo(rules);
  await press('space');
  // Firefox reports the description of the field that takes the focus as changed, too.
  await ear.step('one failure', () => press('Return'), [age, sync.answerErrors['not-a-number']], true);
  await answer('17');
  await ear.step('rejected, in the window', () => press('Return'), [rejected, reason]);
  await ear.step('rejected, in the page', async () => { await ear.tabTo(sync.exits.close, 'Tab', 3); await press('Return'); }, [comments.alert.rejected]);
  await ear.step('sign in again', async () => { await press('Return'); await activate('Parley'); }, [], true);
  await ear.step('the form again', allow, [sync.questions.heading], true);
  await ear.tabTo(age);
  await answer('34');
  await ear.tabTo(rules);
  await press('space');
  await ear.step('signed in and posted with one press', () => press('Return'), [entries.said.posted]);
}

/** Without a text: the box stays as it is at rest. */
async function signInAtRest({ desktop, ear, language, open }: Stage): Promise<void> {
  const { press, type, activate } = desktop;
  const { core, comments, sync } = phrasesOf(language);
  await open();
  await ear.tabTo(core.message);
  await ear.step('the button', () => ear.tabTo(core.signIn, 'Tab', 1), [core.signIn, core.opensWindow]);
  await ear.step('the window', async () => { await press('Return'); await activate('Parley'); }, [], true);
  await ear.step('the form', () => press('Tab', 'Tab', 'Return'), [sync.questions.heading], true);
  await ear.tabTo(ageQuestion!.label[language]!);
  await type('34');
  await ear.tabTo(rulesQuestion!.label[language]!);
  await press('space');
  await ear.step('signed in', () => press('Return'), [comments.status.signedIn]);
}

async function account(stage: Stage): Promise<void> {
  const { desktop: { press, type }, ear, language, open } = stage;
  const { core, comments: { action, panel } } = phrasesOf(language);
  const name = accountName(language);
  await open(true);
  await ear.tabTo(core.message);
  await type('Not posted.');
  await ear.step('the account', () => ear.tabTo(name), [name]);
  await ear.step('its menu', () => press('Return'), [action.signOut], true);
  await ear.step('Escape gives the focus back', () => press('Escape'), [name], true);
  // The account has the focus.
  await ear.step('the question', () => press('Return', 'Return'), [panel.signOut, panel.staySignedIn], true);
  // To the field. Firefox reports its caret as moved when the question comes, so Orca speaks the field then, and not now.
  await ear.step('Escape keeps the text', async () => { await press('Escape'); await ear.tabTo(name, 'Tab', 2); }, [name], true);
}

async function outcomes(stage: Stage): Promise<void> {
  const { demo, desktop, ear, language, page, open } = stage;
  const { press, type } = desktop;
  const { core, comments, entries } = phrasesOf(language);
  await open(true);
  await ear.step('the field of a reader who is signed in', () => ear.tabTo(core.message), [core.message]);
  await type('Posted.');
  await ear.step('posted', () => press('Control+Return'), [entries.row.posting, entries.said.posted]);
  await type('While the service is down.');
  await demo.service.down();
  await ear.step('service down', () => press('Control+Return'), [entries.row.posting, entries.row.trying]);
  await ear.step('service up: posted without another press', () => demo.service.up(), [entries.said.posted]);
  demo.service.premoderated.add(page);
  await type('To be approved.');
  await ear.step('approval', () => press('Control+Return'), [entries.row.posting, entries.said.held]);
  demo.service.premoderated.delete(page);
  // No text is lost with the session.
  await ear.step('sign out', () => pressSignOut(stage), [comments.status.signedOut], true);
}

/** Attempts that the reader ends. */
async function waiting({ demo, desktop, ear, language, open }: Stage): Promise<void> {
  const { press, type } = desktop;
  const { core, entries: { row, action }, actions, problems } = phrasesOf(language);
  const reason = row.notPosted.replace('{reason}', problems['service-unavailable']);
  await open(true);
  await ear.tabTo(core.message);
  await type('Patience.');
  desktop.expectClock();
  demo.service.faults.next('posts', { kind: 'status', status: 503, headers: { 'Retry-After': '120' } });
  await ear.step('waits', () => press('Control+Return'), [row.posting, row.trying]);
  await ear.step('Stop', () => ear.tabTo(action.stop), [action.stop]);
  await ear.step('stopped', () => press('Return'), [reason]);
  await ear.step('Try again', () => ear.tabTo(action.tryAgain, 'Tab', 2), [action.tryAgain]);
  await ear.step('Delete', () => ear.tabTo(actions.remove, 'Tab', 2), [actions.remove]);
  await ear.step('the question', () => press('Return'), [actions.confirmRemove, actions.keep]);
}

async function refused({ demo, desktop, ear, language, open }: Stage): Promise<void> {
  const { press, type } = desktop;
  const { core, entries } = phrasesOf(language);
  const reason = 'Mind your manners.';
  await open(true);
  await ear.tabTo(core.message);
  await type('A rude one.');
  demo.service.faults.next('posts', { kind: 'status', status: 403, body: { code: 12, response: reason } });
  await ear.step('refused', () => press('Control+Return'), [entries.row.posting, reason]);
  await ear.step('its button', () => ear.tabTo(entries.action.edit), [entries.action.edit], true);
  await ear.step('the field', () => press('Return'), [core.message], true);
  await press('Control+a');
  await type('A kind one.');
  await ear.step('the edited text is posted', () => press('Control+Return'), [entries.row.posting, entries.said.posted], true);
}

async function unsure(stage: Stage): Promise<void> {
  const { demo, desktop, ear, language, open } = stage;
  const { press, type } = desktop;
  const { core, comments, entries } = phrasesOf(language);
  await open(true);
  await ear.tabTo(core.message);
  await type('Perhaps.');
  demo.service.faults.next('posts', { kind: 'reset-after-commit' });
  await ear.step('unsure', () => press('Control+Return'), [entries.row.posting, entries.row.unknown]);
  await ear.step('sign out', () => pressSignOut(stage), [comments.panel.signOut, comments.panel.staySignedIn], true);
}

/** The answer that loses nothing has the focus. */
async function signOut(stage: Stage): Promise<void> {
  const { desktop, ear, language, open } = stage;
  const { press, type } = desktop;
  const { core, comments } = phrasesOf(language);
  const { panel, action } = comments;
  await open(true);
  await ear.tabTo(core.message);
  await type('Not posted.');
  await ear.step('the question', () => pressSignOut(stage), [panel.signOut, panel.staySignedIn], true);
  await ear.step('the other answer', () => ear.tabTo(action.signOut, 'Tab', 1), [action.signOut], true);
  await ear.step('signed out', () => press('Return'), [comments.status.signedOut]);
}

async function readThread({ demo, desktop, ear, language, page, open }: Stage): Promise<void> {
  const { press, type } = desktop;
  const { core, entries, thread } = phrasesOf(language);
  await open(true);
  await ear.tabTo(core.message);
  await ear.step('the order', () => ear.tabTo(thread.order), [thread.order, thread.newestFirst], true);
  await ear.step('another order', () => press('Down'), [thread.oldestFirst]);
  await ear.step('Reply', () => ear.tabTo(thread.reply), [thread.reply], true);
  await ear.step('the field of the reply', () => press('Return'), [begin(core.replyTo)], true);
  await type('A reply.');
  await ear.step('the reply is posted', () => press('Control+Return'), [entries.row.posting, entries.said.replyPosted]);
  const other = clientOf(demo);
  await other.signIn({ user_id: '31018', username: 'Jörg Ünterwald' }, ANSWERS);
  expectStatus(await other.post('/posts', { forum: 'news', page, message: 'New.' }).set('Idempotency-Key', crypto.randomUUID()), 201);
  await ear.step('a new comment', () => setTimeout(60_000), [plural(language, thread.newComments, 1)]);
}

/** The newest conversation has a reply. */
async function replies({ desktop: { press }, ear, language, open }: Stage): Promise<void> {
  const { core, thread } = phrasesOf(language);
  await open(true);
  await ear.tabTo(core.message);
  await ear.step('the menu of a comment', () => ear.tabTo(thread.more), [thread.more]);
  await ear.step('it opens', () => press('Return'), [thread.copyLink], true);
  await ear.step('Escape gives the focus back', () => press('Escape'), [thread.more], true);
  await press('Return');
  await ear.step('the link is copied', () => press('Return'), [thread.linkCopied]);
  await ear.step('the way past the replies', () => ear.tabTo(thread.skipReplies), [thread.skipReplies]);
  await ear.step('the next conversation', () => press('Return'), ['Σοφία Λάσκαρη'], true);
}

/** As a posted entry, which the thread shows. */
async function ownComment({ desktop: { press, type }, ear, language, open }: Stage): Promise<void> {
  const { core, entries, thread, actions } = phrasesOf(language);
  await open(true);
  await ear.tabTo(core.message);
  await type('Mine.');
  await ear.step('posted', () => press('Control+Return'), [entries.row.posting, entries.said.posted]);
  await ear.step('Edit', () => ear.tabTo(actions.edit), [actions.edit]);
  await ear.step('the editor', () => press('Return'), [actions.field], true);
  await press('Control+a');
  await type('Mine, edited.');
  await ear.step('saved', () => press('Control+Return'), [actions.saved]);
  await ear.step('its menu', () => ear.tabTo(thread.more, 'Tab', 1), [thread.more]);
  await press('Return');
  await ear.step('Delete', () => ear.tabTo(actions.remove, 'Tab', 2), [actions.remove]);
  await ear.step('the question', () => press('Return'), [actions.confirmRemove, actions.keep], true);
  await ear.step('Escape keeps the comment', () => press('Escape'), [thread.more], true);
  await press('Return');
  await ear.tabTo(actions.remove, 'Tab', 2);
  await press('Return');
  await ear.step('the other answer', () => ear.tabTo(actions.remove, 'Tab', 1), [actions.remove], true);
  await ear.step('deleted', () => press('Return'), [actions.removed]);
}

async function closed({ demo, desktop, ear, language, page, open }: Stage): Promise<void> {
  const { core } = phrasesOf(language);
  demo.service.closedThreads.add(page);
  await open();
  // Orca with Chromium begins in the list of orders, as in any list that a page inserts.
  await desktop.press('Shift+Tab');
  await ear.tabTo(core.heading, 'h');
  await ear.step('closed', () => desktop.press('Down'), [core.closed]);
}

async function closedMeanwhile({ demo, desktop, ear, language, page, open }: Stage): Promise<void> {
  const { core } = phrasesOf(language);
  await open(true);
  await ear.tabTo(core.message);
  await desktop.type('Too late.');
  demo.service.closedThreads.add(page);
  await ear.step('closed while the reader writes', () => setTimeout(130_000), [core.closed]);
}
