/** The table of an entry's states: each of its rules, at its limits. `outbox.model.test.ts` tests what they make together. */

import { expect } from '@open-wc/testing';
import type { WidgetProblem, WidgetProblemType } from '../client/problem.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import { table, transition, type EntryEvent, type EntryState, type PressFacts } from './outbox-state.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The press. */
const AT = 1_800_000_000_000;

const base = {
  bff: 'https://bff.example/', account: '42', forum: 'news', article: 'https://www.example.com/', id: 'id', address: 'https://www.example.com/?a',
  text: 'A text', parent: 'p', user: { user_id: '42', username: 'Ada', key: 'a' }, key: 'key', pressedAt: AT, firstSentAt: AT,
  signOut: 'o1', session: 's1',
};
const network: WidgetProblem = { type: 'urn:vestibule:network', title: '', status: 0, detail: '', retryable: true };
const problem = (type: WidgetProblemType, retryable = false): WidgetProblem => ({ ...network, type: `urn:vestibule:${type}`, status: 500, retryable });

const entries = {
  out: { ...base, state: 'out', sender: 'this', attempt: 1, sentAt: AT },
  waiting: { ...base, state: 'waiting', sender: 'that', attempt: 1, until: AT + 5_000, problem: problem('service-unavailable', true) },
  failed: { ...base, state: 'failed', problem: problem('post-rejected') },
  unsure: { ...base, state: 'unsure', unsureSince: AT, problem: problem('outcome-unknown') },
  posted: { ...base, state: 'posted', postedAt: AT, postId: '7' },
} as const satisfies { readonly [Name in EntryState]: OutboxEntry };

/** One second after the press, where nothing else is said. */
function next(entry: OutboxEntry, event: EntryEvent, now = AT + 1_000, session?: string): OutboxEntry | 'removed' {
  return transition(entry, event, { now, sender: 'this', session });
}

const press: PressFacts = { pressedAt: AT + 2 * MINUTE_MS, key: 'new', signOut: 'o2', session: 's2' };
const created = (id?: number, isHeld = false): EntryEvent => ({
  type: 'created', key: 'key', created: { post: { ...(id !== undefined && { id }) }, ...(isHeld && { listed: { state: 'pending' } }) },
});
const refused = (of: WidgetProblem, wasOnline = true, isOnline = true): EntryEvent => (
  { type: 'refused', problem: of, waitMs: 2_000, wasOnline, isOnline }
);
const doubtful = { ...entries.out, unsureSince: AT - 1 };

/** What each event makes of each state; the others change nothing. */
const rules: { readonly [Type in EntryEvent['type']]: readonly (readonly [OutboxEntry, EntryEvent & { type: Type }, object | 'removed'])[] } = {
  'press-again': [
    [entries.failed, { type: 'press-again', press }, {
      state: 'out', key: 'new', text: 'A text', pressedAt: press.pressedAt, firstSentAt: undefined, signOut: 'o2', session: 's2',
      sender: 'this', attempt: 1, problem: undefined,
    }],
    [{ ...entries.failed, edited: 'typed' }, { type: 'press-again', press: { ...press, text: 'Edited' } }, {
      state: 'out', key: 'new', text: 'Edited', edited: undefined, firstSentAt: undefined,
    }],
    [entries.unsure, { type: 'press-again', press }, {
      state: 'out', key: 'key', firstSentAt: AT, pressedAt: press.pressedAt, unsureSince: AT, hasEarlierKey: undefined,
    }],
    [entries.unsure, { type: 'press-again', press: { ...press, pressedAt: AT + DAY_MS - 1 } }, { key: 'key' }],
    [entries.unsure, { type: 'press-again', press: { ...press, pressedAt: AT + DAY_MS } }, {
      key: 'new', firstSentAt: undefined, hasEarlierKey: true, unsureSince: AT,
    }],
    [{ ...entries.unsure, key: '' }, { type: 'press-again', press }, { key: 'new', hasEarlierKey: true }],
  ],
  claim: [[{ ...entries.out, sentAt: undefined, firstSentAt: undefined }, { type: 'claim' }, { state: 'out', sentAt: AT + 1_000, firstSentAt: AT + 1_000 }]],
  created: [
    [entries.out, created(7) as never, { state: 'posted', postId: '7', postedAt: AT + 1_000, sender: undefined, sentAt: undefined }],
    [entries.waiting, created(7) as never, { state: 'posted', until: undefined, attempt: undefined, problem: undefined }],
    [entries.failed, created(7) as never, { state: 'posted' }],
    [entries.unsure, created(7, true) as never, { state: 'posted', unsureSince: undefined, listed: { state: 'pending' } }],
    [entries.posted, created(8) as never, { state: 'posted', postId: '8', postedAt: AT }],
    [entries.posted, created() as never, { state: 'posted', postId: '7' }],
  ],
  refused: [
    [entries.out, refused(problem('service-unavailable', true)) as never, {
      state: 'waiting', until: AT + 3_000, unsureSince: undefined, sentAt: undefined, problem: problem('service-unavailable', true),
    }],
    [entries.out, refused(problem('not-signed-in')) as never, { state: 'failed', problem: problem('not-signed-in'), until: undefined }],
    [entries.out, refused(network) as never, { state: 'waiting', unsureSince: AT, until: AT + 3_000 }],
    [entries.out, refused(network, false, false) as never, { state: 'waiting', unsureSince: undefined, until: undefined }],
    [entries.out, refused(network, true, false) as never, { state: 'waiting', unsureSince: AT, until: undefined }],
    [entries.out, refused(network, false, true) as never, { state: 'waiting', unsureSince: AT, until: AT + 3_000 }],
    [entries.out, refused({ ...network, status: 502 }, false, false) as never, { state: 'waiting', unsureSince: AT, until: AT + 3_000 }],
    ...(['internal-error', 'post-in-progress', 'bad-service-response'] as const).map((type) => (
      [entries.out, refused(problem(type, true)) as never, { state: 'waiting', unsureSince: AT, key: 'key' }] as const
    )),
    ...(['outcome-unknown', 'idempotency-key-reused'] as const).map((type) => (
      [entries.out, refused(problem(type)) as never, { state: 'unsure', unsureSince: AT, key: '' }] as const
    )),
    // An earlier request stays in doubt, unless the service has refused its key.
    [doubtful, refused(problem('not-signed-in')) as never, { state: 'unsure', unsureSince: AT - 1 }],
    [doubtful, refused(network) as never, { state: 'waiting', unsureSince: AT - 1 }],
    ...(['service-refused', 'post-rejected'] as const).flatMap((type) => [
      [doubtful, refused(problem(type)) as never, { state: 'failed', unsureSince: undefined }] as const,
      [{ ...doubtful, hasEarlierKey: true }, refused(problem(type)) as never, { state: 'unsure', unsureSince: AT - 1 }] as const,
    ]),
    // The next attempt would be too late.
    [{ ...entries.out, pressedAt: AT + 3_001 - 10 * MINUTE_MS }, refused(problem('service-unavailable', true)) as never, { state: 'waiting' }],
    [{ ...entries.out, pressedAt: AT + 3_000 - 10 * MINUTE_MS }, refused(problem('service-unavailable', true)) as never, { state: 'failed' }],
    [{ ...entries.out, pressedAt: AT + 3_000 - 10 * MINUTE_MS }, refused(network) as never, { state: 'unsure' }],
  ],
  late: [
    [entries.out, { type: 'late', waitMs: 2_000 }, { state: 'waiting', unsureSince: AT, until: AT + 3_000, sentAt: undefined }],
    [doubtful, { type: 'late', waitMs: 2_000 }, { state: 'waiting', unsureSince: AT - 1 }],
  ],
  left: [
    [{ ...entries.out, sender: 'that' }, { type: 'left' }, { state: 'out', sender: 'this', isRepeated: true, unsureSince: AT, sentAt: undefined }],
    [{ ...entries.out, sender: 'that', sentAt: undefined }, { type: 'left' }, { state: 'out', isRepeated: true, unsureSince: undefined }],
    [{ ...entries.out, isRepeated: true }, { type: 'left' }, { state: 'unsure', unsureSince: AT, isRepeated: undefined }],
    [{ ...entries.out, pressedAt: AT + 1_000 - 10 * MINUTE_MS }, { type: 'left' }, { state: 'unsure' }],
    [{ ...entries.out, sentAt: undefined, pressedAt: AT + 1_000 - 10 * MINUTE_MS }, { type: 'left' }, { state: 'failed' }],
  ],
  due: [
    [{ ...entries.waiting, unsureSince: AT, isRepeated: true }, { type: 'due' }, {
      state: 'out', sender: 'this', attempt: 2, sentAt: undefined, until: undefined, problem: undefined, unsureSince: AT, isRepeated: true, pressedAt: AT,
    }],
    [{ ...entries.waiting, pressedAt: AT + 1_000 - 10 * MINUTE_MS }, { type: 'due' }, { state: 'failed', problem: entries.waiting.problem }],
  ],
  online: [[{ ...entries.waiting, until: undefined }, { type: 'online' }, { state: 'out', attempt: 2 }]],
  'try-now': [[entries.waiting, { type: 'try-now' }, { state: 'out', attempt: 2, pressedAt: AT }]],
  stop: [
    [entries.waiting, { type: 'stop' }, { state: 'failed', problem: entries.waiting.problem, until: undefined }],
    [{ ...entries.waiting, unsureSince: AT }, { type: 'stop' }, { state: 'unsure', unsureSince: AT }],
  ],
  expire: [
    [{ ...entries.waiting, pressedAt: AT + 1_000 - 10 * MINUTE_MS }, { type: 'expire' }, { state: 'failed' }],
    [{ ...entries.waiting, pressedAt: AT + 1_001 }, { type: 'expire' }, { state: 'failed' }],
  ],
  listed: [
    [entries.posted, { type: 'listed', id: '9' }, { state: 'posted', postId: '7', isListed: true, postedAt: AT }],
    [{ ...entries.posted, postId: undefined }, { type: 'listed', id: '9' }, { postId: '9' }],
    [entries.posted, { type: 'listed' }, { postId: '7', isListed: true }],
  ],
  edit: [[entries.failed, { type: 'edit', text: 'typed' }, { state: 'failed', text: 'A text', edited: 'typed' }]],
  'cancel-edit': [[{ ...entries.failed, edited: 'typed' }, { type: 'cancel-edit' }, { state: 'failed', text: 'A text', edited: undefined }]],
  remove: [[entries.failed, { type: 'remove' }, 'removed'], [entries.unsure, { type: 'remove' }, 'removed']],
  confirm: [[entries.unsure, { type: 'confirm' }, 'removed']],
};

const types = Object.keys(rules) as EntryEvent['type'][];
const of = (one: OutboxEntry | 'removed' | object, expected: object): object => (
  Object.fromEntries(Object.keys(expected).map((name) => [name, (one as Record<string, unknown>)[name]]))
);

describe('table', () => {
  for (const type of types) {
    it(`${type} leads from each of its states to the next one`, () => {
      for (const [entry, event, expected] of rules[type]) {
        const found = next(entry, event);
        expect(expected === 'removed' || found === 'removed' ? found : of(found, expected), `${entry.state}`).to.deep.equal(expected);
      }
      expect(Object.keys(table[type]).toSorted()).to.deep.equal([...new Set(rules[type].map(([{ state }]) => state))].toSorted());
    });

    it(`${type} changes nothing in other states, and never what names the entry and its author`, () => {
      const [[, event]] = rules[type] as [[OutboxEntry, EntryEvent, object]];
      for (const entry of Object.values(entries)) {
        const found = next(entry, event);
        if (!(entry.state in table[type])) expect(found).to.equal(entry);
        else if (found !== 'removed') {
          const { bff, account, forum, article, id, parent, user, address } = base;
          const lasting = { bff, account, forum, article, id, parent, user, address };
          expect(of(found, lasting)).to.deep.equal(lasting);
        }
      }
    });
  }
});

describe('a request that may have been carried out, of a reader who is not proven', () => {
  const user = { user_id: '42', username: 'Ada' };
  const attempts: readonly (readonly [OutboxEntry, 'due' | 'online' | 'try-now' | 'left' | 'claim'])[] = [
    ...(['due', 'try-now'] as const).map((type) => [{ ...entries.waiting, user, unsureSince: AT }, type] as const),
    [{ ...entries.waiting, user, unsureSince: AT, until: undefined }, 'online'],
    [{ ...entries.out, user, sender: 'that' }, 'left'],
    [{ ...entries.out, user, unsureSince: AT, sentAt: undefined }, 'claim'],
  ];
  for (const [entry, type] of attempts) {
    it(`is not repeated by ${type} in another session: the BFF would not know its key`, () => {
      const after = (one: OutboxEntry, session?: string): unknown => of(next(one, { type }, undefined, session), { state: 0 });
      expect(after(entry, 's2')).to.deep.equal({ state: 'unsure' });
      for (const session of ['s1', undefined]) expect(after(entry, session)).to.deep.equal({ state: 'out' });
      expect(after({ ...entry, user: base.user }, 's2')).to.deep.equal({ state: 'out' });
      const sure = { ...entry, unsureSince: undefined, sentAt: undefined } as OutboxEntry;
      expect(after(sure, 's2')).to.deep.equal({ state: 'out' });
    });
  }
});

describe('an event that is not of the present request', () => {
  const fresh = { ...entries.waiting, pressedAt: AT + 1_001 - 10 * MINUTE_MS };
  const cases: readonly (readonly [string, OutboxEntry, EntryEvent])[] = [
    ['claims no entry of another document', { ...entries.out, sender: 'that', sentAt: undefined }, { type: 'claim' }],
    ['claims no entry twice', entries.out, { type: 'claim' }],
    ['posts no text that was edited since', { ...entries.out, key: 'new' }, created(7)],
    ['posts no earlier text than that of its press', entries.unsure, { type: 'press-again', press: { ...press, text: 'Edited' } }],
    ['is no end within ten minutes', fresh, { type: 'expire' }],
    ['does not shorten a wait when the browser is online', entries.waiting, { type: 'online' }],
  ];
  for (const [name, entry, event] of cases) it(name, () => expect(next(entry, event)).to.equal(entry));

  it('leads to no request ten minutes after the press, or before it', () => {
    const unsent = { ...entries.out, sentAt: undefined };
    expect(of(next(unsent, { type: 'claim' }, AT + 10 * MINUTE_MS - 1), { state: 0 })).to.deep.equal({ state: 'out' });
    for (const now of [AT + 10 * MINUTE_MS, AT - 1]) {
      for (const entry of [unsent, entries.waiting, { ...entries.waiting, until: undefined }]) {
        for (const type of ['claim', 'left', 'due', 'online', 'try-now'] as const) {
          const found = next(entry, { type }, now) as Partial<OutboxEntry>;
          const isSent = found.state === 'out' && found !== entry;
          expect(isSent, `${type} of ${entry.state}`).to.equal(false);
        }
      }
      expect(of(next(unsent, { type: 'claim' }, now), { state: 0 })).to.deep.equal({ state: 'failed' });
      expect(of(next({ ...unsent, unsureSince: AT }, { type: 'claim' }, now), { state: 0 })).to.deep.equal({ state: 'unsure' });
    }
  });
});
