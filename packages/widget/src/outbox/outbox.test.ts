/** The outbox in the browser's own storage and locks: records, those of release 0.3, and two outboxes with one entry. */

import { expect } from '@open-wc/testing';
import { until } from '../../../../test/lib/until.ts';
import type { Answer, Environment } from './environment.ts';
import { browserEnvironment } from './document-outbox.ts';
import { entryStorageKey, listEntries, readEntry, removeOverEntries, type OutboxEntry, type Place } from './outbox-entry.ts';
import { Outbox } from './outbox.ts';
import type { Outlet, Report } from './reports.ts';
import { adoptRecords } from './release-0.3.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const user = { user_id: '42 ü', username: 'Ada', key: 'a' };
const { store } = browserEnvironment;

let count = 0;

/** A BFF of its own for each test. */
function newPlace(): Place {
  count += 1;
  return { bff: `https://bff${count}.example/`, account: user.user_id, forum: 'the news', article: 'https://www.example.com/article' };
}

interface Sent {
  readonly key: string;
  readonly respond: (answer: Answer) => void;
}

interface Opened {
  readonly outbox: Outbox;
  readonly sent: Sent[];
  readonly reports: Report[];
  readonly leave: () => void;
}

/** An outbox whose requests wait in `sent`. */
function open(place: Place, environment: Partial<Environment> = {}): Opened {
  const sent: Sent[] = [];
  const reports: Report[] = [];
  const outbox = new Outbox({
    ...browserEnvironment,
    post: (_, __, key) => new Promise((respond) => sent.push({ key, respond })),
    ...environment,
  });
  const outlet: Outlet = { ...place, visit: 'visit', language: '', onChange: () => {}, tell: (report) => reports.push(report) };
  const leave = outbox.attach(outlet);
  outbox.setAccount(place.bff, place.account);
  return { outbox, sent, reports, leave };
}

function press(outbox: Outbox, place: Place, text = 'A text', taken?: string): OutboxEntry | undefined {
  return outbox.press({ ...place, visit: 'visit', text, address: place.article, user, signOut: outbox.signOutId(place.bff), taken, take: () => {} });
}

const stored = (place: Place): OutboxEntry[] => listEntries(store, place, Date.now());
const ok: Answer = { created: { post: { id: 7 } } };

describe('an entry', () => {
  it('is stored under its account, forum and article, before its request leaves', async () => {
    const place = newPlace();
    const { outbox, sent, leave } = open(place);
    const entry = press(outbox, place)!;
    expect(stored(place).map(({ text, state }) => [text, state])).to.deep.equal([['A text', 'out']]);
    expect(sent).to.have.length(0);
    await until('the request', () => sent.length === 1);
    sent[0]!.respond(ok);
    await until('the outcome', () => stored(place)[0]?.state === 'posted');
    expect(sent[0]!.key).to.equal(entry.key);
    leave();
  });

  for (const [state, at, days] of [['posted', 'postedAt', 7], ['failed', 'pressedAt', 30]] as const) {
    it(`that is ${state} leaves storage after ${days} days`, () => {
      const place = newPlace();
      const { outbox, leave } = open(place, { hold: () => new Promise(() => {}) });
      const entry = press(outbox, place)!;
      leave();
      const write = (age: number): void => { store.write(entryStorageKey(entry), { ...entry, state, [at]: Date.now() - age }); };
      write(days * DAY_MS - MINUTE_MS);
      removeOverEntries(store, place.bff, undefined, Date.now());
      expect(readEntry(store, entry, Date.now())).to.not.equal(undefined);
      write(days * DAY_MS + MINUTE_MS);
      removeOverEntries(store, place.bff, undefined, Date.now());
      expect(localStorage.getItem(entryStorageKey(entry))).to.equal(null);
    });
  }

  it('of an account that has signed out since is deleted at a load, whatever the clock was', () => {
    const place = newPlace();
    const { outbox, leave } = open(place, { hold: () => new Promise(() => {}) });
    press(outbox, place);
    leave();
    store.write(`vestibule:signed-out ${place.bff}`, { at: 1, account: 'another' });
    open(place, { hold: () => new Promise(() => {}) }).leave();
    expect(stored(place)).to.have.length(1);
    store.write(`vestibule:signed-out ${place.bff}`, { at: 1, account: place.account });
    open(place).leave();
    expect(stored(place)).to.have.length(0);
  });

  it('of a reply whose composer comes before its box is of the visit of that box', () => {
    const place = newPlace();
    const outbox = new Outbox(browserEnvironment);
    const ofReply = outbox.visitOf({ ...place, visit: '' });
    const ofBox = outbox.visitOf({ ...place, visit: '' });
    expect([ofBox, outbox.visitOf({ ...place, article: 'https://www.example.com/other', visit: '' }) === ofBox]).to.deep.equal([ofReply, false]);
  });

  it('that storage refuses lasts as long as the document, and says so', () => {
    const place = newPlace();
    const { outbox, leave } = open(place, { store: { ...store, write: () => false }, hold: () => new Promise(() => {}) });
    press(outbox, place);
    expect(stored(place)).to.have.length(0);
    expect(outbox.entries(place, 'visit').map(({ entry: { text }, isKept }) => [text, isKept])).to.deep.equal([['A text', false]]);
    leave();
  });
});

describe('two outboxes of one browser', () => {
  it('do not overwrite an entry that the other one sends, by its height, which goes with the entry', async () => {
    const place = newPlace();
    const room = { address: place.article, height: 90 };
    // The view of storage that a document has may be old: the other one writes while this one does.
    let meanwhile = (): void => {};
    const write: typeof store.write = (key, record) => {
      meanwhile();
      return store.write(key, record);
    };
    const one = open(place, { store: { ...store, write }, hold: () => new Promise(() => {}) });
    const entry = press(one.outbox, place)!;
    meanwhile = () => store.write(entryStorageKey(entry), { ...entry, state: 'posted', postedAt: Date.now() });
    one.outbox.keepRoom(entry, room);
    meanwhile = () => {};
    expect(stored(place).map(({ state }) => state)).to.deep.equal(['posted']);
    expect(Object.values({ ...localStorage }).filter((record) => record.includes('"height":90'))).to.have.length(1);
    store.write(`vestibule:signed-out ${place.bff}`, { at: 1, account: place.account });
    one.outbox.setAccount(place.bff, '');
    expect(Object.keys(localStorage).filter((key) => key.includes(place.bff))).to.deep.equal([`vestibule:signed-out ${place.bff}`]);
    one.leave();
  });

  it('send an entry once at a time: the other one waits for its lock', async () => {
    const place = newPlace();
    const one = open(place);
    press(one.outbox, place);
    await until('the request', () => one.sent.length === 1);
    const other = open(place);
    const { held } = await navigator.locks.query();
    expect(held!.filter(({ name }) => name!.includes(place.bff))).to.have.length(1);
    one.sent[0]!.respond(ok);
    await until('the outcome', () => stored(place)[0]?.state === 'posted');
    expect(other.sent).to.have.length(0);
    one.leave();
    other.leave();
  });

  it('repeat a request of a document that was left, with its key, once', async () => {
    const place = newPlace();
    // Its lock is gone with it.
    const one = open(place, { hold: (_, act) => act() });
    press(one.outbox, place);
    await until('the request', () => one.sent.length === 1);
    one.leave();
    const other = open(place, { hold: (_, act) => act() });
    await until('the repetition', () => other.sent.length === 1);
    expect(other.sent[0]!.key).to.equal(one.sent[0]!.key);
    other.leave();
    const third = open(place, { ifFree: (_, act) => act() });
    await until('the doubt', () => stored(place)[0]?.state === 'unsure');
    expect(third.sent).to.have.length(0);
    expect(third.reports.map(({ row }) => row)).to.deep.equal(['unsure']);
    third.leave();
  });

  it('take one text of one draft once', async () => {
    const place = newPlace();
    const [one, other] = [open(place), open(place)];
    const entry = press(one.outbox, place, 'A text', 'draft 1')!;
    expect(press(other.outbox, place, 'A text', 'draft 1')!.id).to.equal(entry.id);
    await until('the request', () => one.sent.length === 1);
    one.sent[0]!.respond(ok);
    await until('the outcome in the other one', () => other.outbox.entries(place, 'visit')[0]?.row === 'posted');
    expect(other.sent).to.have.length(0);
    one.leave();
    other.leave();
  });
});

describe('records of release 0.3', () => {
  const draftKey = ({ bff, account, forum, article }: Place): string => (
    `vestibule:draft ${bff} ${encodeURIComponent(account)} ${encodeURIComponent(forum)} ${article}`
  );

  it('become an entry in doubt, and the text in the field stays a draft', async () => {
    const place = newPlace();
    const at = Date.now() - 11 * MINUTE_MS;
    store.write(draftKey(place), { text: 'newer', updatedAt: at, submission: { key: 'k', text: 'sent', pressedAt: at, sentAt: at } });
    await adoptRecords(place.bff, user, browserEnvironment);
    await adoptRecords(place.bff, user, browserEnvironment);
    expect(stored(place).map(({ text, state, key }) => [text, state, key])).to.deep.equal([['sent', 'unsure', 'k']]);
    const { text, submission } = store.read<{ text: string; submission: object }>(draftKey(place))!;
    expect([text, submission]).to.deep.equal(['newer', undefined]);
  });

  it('leave no text of the draft that was sent', async () => {
    const place = newPlace();
    const at = Date.now() - DAY_MS;
    store.write(`${draftKey(place)} 5`, { text: 'sent', updatedAt: at, submission: { key: '', text: 'sent', pressedAt: at, unsureSince: at } });
    await adoptRecords(place.bff, user, browserEnvironment);
    expect(stored(place).map(({ text, parent, key }) => [text, parent, key])).to.deep.equal([['sent', '5', '']]);
    expect(store.read<{ text: string }>(`${draftKey(place)} 5`)!.text).to.equal('');
  });

  it('leave the other text of an empty field', async () => {
    const place = newPlace();
    const at = Date.now() - DAY_MS;
    store.write(draftKey(place), { text: '', other: 'other', updatedAt: at, submission: { key: 'k', text: 'sent', pressedAt: at, sentAt: at } });
    await adoptRecords(place.bff, user, browserEnvironment);
    expect(stored(place).map(({ text }) => text)).to.deep.equal(['sent']);
    const { text, other } = store.read<{ text: string; other: string }>(draftKey(place))!;
    expect([text, other]).to.deep.equal(['other', undefined]);
  });

  it('stay while a tab of 0.3 may send them: under its lock, and for ten minutes', async () => {
    const place = newPlace();
    const at = Date.now() - 9 * MINUTE_MS;
    const submission = { key: 'k', text: 'sent', pressedAt: at, sentAt: at };
    store.write(draftKey(place), { text: 'sent', updatedAt: at, submission });
    await adoptRecords(place.bff, user, browserEnvironment);
    expect(stored(place)).to.have.length(0);
    store.write(draftKey(place), { text: 'sent', updatedAt: at, submission: { ...submission, sentAt: at - 2 * MINUTE_MS } });
    await navigator.locks.request(`vestibule ${draftKey(place)}`, () => adoptRecords(place.bff, user, browserEnvironment));
    expect(stored(place)).to.have.length(0);
    await adoptRecords(place.bff, user, browserEnvironment);
    expect(stored(place)).to.have.length(1);
  });

  it('of own posts become posted and held entries', async () => {
    const place = newPlace();
    const post = { key: 'k', id: '1', user, message: 'public', at: Date.now() - MINUTE_MS };
    store.write(draftKey(place).replace('draft', 'posts'), { posts: [post, { ...post, key: 'l', message: 'held', listed: { state: 'pending' } }] });
    await adoptRecords(place.bff, user, browserEnvironment);
    const { outbox, leave } = open(place);
    expect(outbox.entries(place, 'visit').map(({ entry: { text }, row }) => `${text}: ${row}`).toSorted()).to.deep.equal(['held: held', 'public: posted']);
    expect(localStorage.getItem(draftKey(place).replace('draft', 'posts'))).to.equal(null);
    leave();
  });
});
