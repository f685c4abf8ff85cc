/** Random schedules for the model of the outbox: what readers, their browser and the network do in two tabs, over virtual
 *  days. */

import * as fc from 'fast-check';
import type { transition } from './outbox-state.ts';
import { articles, type Box, DAY, Doc, fates, HOUR, MINUTE, SECOND, users, World, type Fate } from './_outbox-model.ts';
import type { ListedPost } from '@vestibule/shared';

class Run {
  readonly world: World;
  readonly tabs: Doc[] = [];
  #oldLists = new Map<number, ListedPost[]>();

  constructor(rules?: typeof transition) {
    this.world = new World(rules);
    for (const _ of [0, 1]) this.tabs.push(this.open(0));
  }

  open(article: number): Doc {
    const doc = new Doc(this.world, article);
    doc.addBox();
    doc.refresh();
    return doc;
  }

  async reload(tab: number, afterMs: number, article: number, isAsleep: boolean): Promise<void> {
    await this.world.leave(this.tabs[tab]!);
    await this.world.settle();
    await this.world.pass(afterMs, isAsleep);
    this.tabs[tab] = this.open(article);
  }

  signOut(doc: Doc): void {
    const { world } = this;
    const [box] = doc.boxes;
    if (!box?.account) return;
    const { account } = box;
    const mark = { id: world.next('out'), account };
    world.signOut(account);
    if (world.session?.user.user_id === account) world.session = undefined;
    world.write(doc, 'vestibule:signed-out https://bff.example/', JSON.stringify({ ...mark, at: world.now }));
    doc.outbox.signOut('https://bff.example/', mark);
    for (const one of doc.boxes) {
      one.account = '';
      one.signOut = mark.id;
      one.follow();
    }
    doc.outbox.setAccount('https://bff.example/', '');
  }

  list(doc: Doc, isOld: boolean): void {
    const old = isOld ? this.#oldLists.get(doc.article) : undefined;
    for (const box of doc.boxes) if (box.account) box.list(old);
    this.#oldLists.set(doc.article, this.world.list(articles[doc.article]!));
  }

  /** The network and the readers are back: nothing is on its way any more. */
  async comeBack(): Promise<void> {
    const { world } = this;
    Object.assign(world, { fate: 'ok', isSlow: false, isOnline: true });
    world.release();
    await world.settle();
    for (const doc of this.tabs) await thaw(doc);
    for (const doc of this.tabs) doc.wake('online');
    for (const doc of this.tabs) doc.refresh();
    await world.settle();
    world.check('come back');
    await world.pass(11 * MINUTE);
    world.check('a quarter of an hour later');
    for (const entry of world.entries()) {
      const isSeen = this.tabs.some((doc) => doc.boxes.some(({ account }) => account === entry.account));
      if (isSeen && ['out', 'waiting'].includes(entry.state)) throw new Error(`4: “${entry.text}” is ${entry.state} for ever`);
    }
    for (const article of [0, 1]) {
      await this.reload(0, SECOND, article, false);
      await world.settle();
      world.check(`article ${article}`);
      this.list(this.tabs[0]!, false);
      await world.settle();
      world.check(`list of article ${article}`);
    }
  }
}

async function thaw(doc: Doc): Promise<void> {
  const { world } = doc;
  if (!doc.isFrozen) return;
  doc.isFrozen = false;
  doc.wasFrozen = true;
  await world.pass(0);
  doc.wake('return');
  doc.refresh();
  await world.settle();
}

interface Step {
  readonly name: string;
  readonly act: (run: Run, doc: Doc, tab: number) => unknown;
  readonly [fc.toStringMethod]: () => string;
}

const step = (name: string, act: Step['act']): Step => ({ name, act, [fc.toStringMethod]: () => name });
const ofBox = (name: string, act: (box: Box, run: Run) => void): Step => (
  step(name, (run, doc) => { if (doc.boxes[0] && !doc.isFrozen) act(doc.boxes[0], run); })
);

const delays = [2 * SECOND, 40 * SECOND, 5 * MINUTE, 11 * MINUTE, 3 * HOUR, 25 * HOUR, 3 * DAY, 8 * DAY] as const;
const parents = fc.constantFrom('', '', 'p');

/** What the reader posts. */
const write = fc.tuple(parents, fc.nat(3)).map(([parent, same]): Step => ofBox('write and post', (box) => {
  box.type(parent, same === 0);
  box.press(parent);
}));

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: write },
  { weight: 1, arbitrary: parents.map((parent) => ofBox('type', (box) => box.type(parent, false))) },
  { weight: 1, arbitrary: parents.map((parent) => ofBox('press', (box) => box.press(parent))) },
  { weight: 2, arbitrary: parents.map((parent) => step('post in both tabs at once', async (run, doc) => {
    doc.boxes[0]?.type(parent, false);
    await run.world.settle();
    for (const tab of run.tabs) if (!tab.isFrozen) tab.boxes[0]?.press(parent);
  })) },
  { weight: 8, arbitrary: fc.tuple(
    fc.constantFrom('Try now', 'Stop', 'Try again', 'Sign in and post', 'Post again', 'Post again', 'Edit', 'Delete', 'Undo', "It's there"), fc.nat(3),
  ).map(([name, index]) => ofBox(`“${name}” of entry ${index}`, (box) => box.button(name, index))) },
  { weight: 6, arbitrary: fc.constantFrom<Fate[]>(...fates).map((fate) => step(`requests are ${fate}`, ({ world }) => { world.fate = fate; })) },
  { weight: 3, arbitrary: fc.boolean().map((isSlow) => step(isSlow ? 'slow' : 'fast', ({ world }) => {
    world.isSlow = isSlow;
    if (!isSlow) world.release();
  })) },
  { weight: 2, arbitrary: fc.boolean().map((isOnline) => step(isOnline ? 'online' : 'offline', ({ world, tabs }) => {
    world.isOnline = isOnline;
    if (isOnline) for (const doc of tabs) doc.wake('online');
  })) },
  { weight: 5, arbitrary: fc.tuple(fc.constantFrom(...delays), fc.boolean()).map(([ms, isAsleep]) => (
    step(`${ms / SECOND} s pass${isAsleep ? ' asleep' : ''}`, ({ world }) => world.pass(ms, isAsleep))
  )) },
  { weight: 5, arbitrary: fc.tuple(fc.constantFrom(...delays), fc.boolean(), fc.nat(1)).map(([ms, isAsleep, article]) => (
    step(`leave and load article ${article} after ${ms / SECOND} s`, (run, _, tab) => run.reload(tab, ms, article, isAsleep))
  )) },
  { weight: 1, arbitrary: fc.constantFrom(...delays).map((ms) => step(`leave and go back after ${ms / SECOND} s`, async ({ world }, doc) => {
    doc.isLeft = true;
    for (const one of world.held) if (one.doc === doc) one.fail();
    await world.settle();
    doc.freeze();
    await world.pass(ms);
    doc.isLeft = false;
    await thaw(doc);
  })) },
  { weight: 3, arbitrary: fc.boolean().map((isReplaced) => step(isReplaced ? 'the address is replaced' : 'follow a link', ({ world }, doc) => {
    doc.removeBoxes();
    doc.article = 1 - doc.article;
    if (!isReplaced) doc.visit = world.next('visit');
    doc.addBox();
    doc.refresh();
  })) },
  { weight: 2, arbitrary: fc.boolean().map((isBack) => step(isBack ? 'a box comes' : 'the box goes', (_, doc) => {
    doc.removeBoxes();
    if (isBack) doc.addBox();
    if (isBack) doc.refresh();
  })) },
  { weight: 2, arbitrary: fc.constantFrom('freeze', 'thaw', 'return').map((name) => step(name, async (_, doc) => {
    if (name === 'freeze') doc.freeze();
    else if (name === 'thaw') await thaw(doc);
    else if (!doc.isFrozen) {
      doc.wake('return');
      doc.refresh();
    }
  })) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom<Fate[]>('unknown-done', 'lost-response', 'ok', 'lost-request', 'unknown'), parents).map(([fate, parent]) => (
    step(`“same” is posted, ${fate}, and a list is read`, async (run, doc) => {
      const [box] = doc.boxes;
      if (!box || doc.isFrozen) return;
      run.world.fate = fate;
      box.type(parent, true);
      box.press(parent);
      await run.world.settle();
      run.list(doc, false);
    })
  )) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('42', '99'), fc.nat(1), parents).map(([account, article, parent]) => (
    step(`${account} posts “same” elsewhere`, ({ world }) => world.addForeign(account, articles[article]!, parent))
  )) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('Try again', 'Post again', 'Undo', 'press'), fc.nat(2)).map(([name, index]) => (
    step(`sign out in the other tab, and “${name}” here before the news`, async (run, doc, tab) => {
      const other = run.tabs[1 - tab]!;
      const [box] = doc.boxes;
      if (!box || doc.isFrozen || other.isFrozen) return;
      box.type('', false);
      if (name === 'Undo') box.button('Delete', index);
      doc.freeze();
      run.signOut(other);
      await run.world.settle();
      doc.isFrozen = false;
      if (name === 'press') box.press('');
      else box.button(name, index);
      await run.world.settle();
      doc.wasFrozen = true;
      doc.wake('return');
      doc.refresh();
    })
  )) },
  { weight: 5, arbitrary: fc.boolean().map((isOld) => step(isOld ? 'an old list' : 'a list', (run, doc) => {
    if (!doc.isFrozen) run.list(doc, isOld);
  })) },
  { weight: 4, arbitrary: fc.constantFrom(0, 0, 1, 2, 2).map((index) => users[index]!).map((user) => step(`${user.username} signs in`, ({ world, tabs }, doc) => {
    if (world.session?.user !== user || !user.key) world.session = { id: world.next('s'), user };
    for (const one of user.key ? [doc] : tabs) if (!one.isFrozen) one.refresh();
  })) },
  { weight: 2, arbitrary: fc.constant(step('sign out', (run, doc) => { if (!doc.isFrozen) run.signOut(doc); })) },
  { weight: 1, arbitrary: fc.constant(step('the session runs out', ({ world }) => { world.session = undefined; })) },
  { weight: 1, arbitrary: fc.boolean().map((isFull) => step(isFull ? 'storage is full' : 'storage has room', ({ world }) => { world.isFull = isFull; })) },
  { weight: 1, arbitrary: fc.constantFrom(-HOUR, -2 * MINUTE, HOUR).map((ms) => step(`the clock moves by ${ms / SECOND} s`, ({ world }) => {
    world.skew += ms;
    world.isClockMoved = true;
  })) },
  { weight: 1, arbitrary: fc.constant(step('a moderator removes', ({ world }) => {
    for (const comment of world.comments) comment.isRemoved = true;
  })) },
  { weight: 1, arbitrary: fc.constant(step('held comments are approved', ({ world }) => {
    for (const comment of world.comments) comment.isPending = false;
  })) },
);

const sequences = fc.array(fc.tuple(steps, fc.nat(3)), { minLength: 6, maxLength: 22, size: 'max' });

export interface Outcome {
  /** What is wrong, with its schedule; `undefined`: nothing. */
  readonly fault: string | undefined;
  readonly schedules: number;
  /** Runs the last schedule again. */
  replay(): Promise<void>;
}

/** Runs schedules until one has a fault. @param rules the table; default: that of the outbox */
export async function runSchedules(
  schedules: number, seed: number, rules?: typeof transition, isShrunk = true,
): Promise<Outcome> {
  const details = await fc.check(fc.asyncProperty(sequences, async (sequence) => {
    await runSchedule(sequence, rules);
  }), { numRuns: schedules, seed, endOnFailure: !isShrunk });
  const [sequence] = details.counterexample ?? [];
  const names = sequence?.map(([{ name }, tab]) => `${name} (tab ${tab === 3 ? 1 : 0})`);
  return {
    fault: details.failed ? `${String(details.errorInstance)}; ${names?.join(', ')}` : undefined,
    schedules: details.numRuns,
    replay: () => runSchedule(sequence!, rules),
  };
}

async function runSchedule(
  sequence: readonly (readonly [Step, number])[], rules?: typeof transition,
): Promise<void> {
  const run = new Run(rules);
  await run.world.settle();
  for (const [{ name, act }, index] of sequence) {
    // A step takes time; three in four are of the first tab.
    await run.world.pass(SECOND);
    const tab = index === 3 ? 1 : 0;
    await act(run, run.tabs[tab]!, tab);
    await run.world.settle();
    run.world.check(`${name} (tab ${tab})`);
  }
  await run.comeBack();
}
