/** Group commit: the writes of one turn of the event loop, and those that arrive while the disk is busy with the ones
 *  before, share one transaction and one sync. A write settles when it is durable; the event loop never waits for a disk.
 *  Each write's step runs when its group's turn comes, in the order of arrival: what it answers is atomic. */

import { StoreUnavailableError } from './store.ts';

export interface GroupCommitDeps {
  /** Runs `steps` in one transaction. Throws where it fails, and then nothing of it stays. */
  readonly transact: (steps: readonly (() => void)[]) => void;
  /** Makes every transaction so far outlast a loss of power. */
  readonly sync: () => Promise<void>;
  /** Whether another process holds the file, so that `transact` is worth another try. */
  readonly isBusy: (error: unknown) => boolean;
}

interface Write {
  readonly key: string;
  readonly expendable: boolean;
  readonly step: () => void;
  readonly settle: () => void;
  readonly reject: (error: unknown) => void;
}

interface SyncedGroup {
  readonly keys: ReadonlySet<string>;
  readonly synced: Promise<void>;
}

export interface WriteOptions {
  /** Settles when it is committed, without waiting for the disk: a loss of power may undo it. */
  readonly expendable?: boolean;
}

/** For so long a group grows. */
const GATHERING_MS = 2;

/** Between two tries for a file that another process holds. */
const BUSY_RETRY_MS = 5;

/** How long writes wait for that process. */
const BUSY_PATIENCE_MS = 1_500;

export class GroupCommit {
  readonly #deps: GroupCommitDeps;
  #waiting: Write[] = [];
  #isScheduled = false;
  #busySince: number | undefined;
  #underWay: SyncedGroup | undefined;
  #failure: Error | undefined;

  constructor(deps: GroupCommitDeps) {
    this.#deps = deps;
  }

  /** Runs `step`, which writes under `key`, within the next transaction. Rejects where the transaction or the sync fails.
   *  @throws {StoreUnavailableError} */
  write<T>(key: string, step: () => T, { expendable = false }: WriteOptions = {}): Promise<T> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise<T>((resolve, reject) => {
      let result: T;
      this.#waiting.push({ key, expendable, step: () => { result = step(); }, settle: () => { resolve(result); }, reject });
      this.#schedule();
    });
  }

  /** Settles when what can be read under `keys` (under any where none are named) is durable; `undefined` where it is already.
   *  @throws {StoreUnavailableError} where a sync failed, for good */
  unsynced(keys?: readonly string[]): Promise<void> | undefined {
    if (this.#failure) throw this.#failure;
    const group = this.#underWay;
    return group && (!keys || keys.some((key) => group.keys.has(key))) ? group.synced : undefined;
  }

  /** Settles when nothing is waiting or under way. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#underWay) {
      await (this.#underWay?.synced.catch(() => undefined) ?? new Promise((resolve) => { setImmediate(resolve); }));
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.#underWay || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    this.#gather(this.#waiting.length, performance.now());
  }

  /** Commits after a turn that brought no more writes: under load a group becomes larger, and its transaction and its sync
   *  cost each of them less. */
  #gather(seen: number, since: number): void {
    setImmediate(() => {
      const waiting = this.#waiting.length;
      if (waiting > seen && performance.now() - since < GATHERING_MS) this.#gather(waiting, since);
      else this.#commit();
    });
  }

  #commit(): void {
    this.#isScheduled = false;
    const group = this.#waiting;
    this.#waiting = [];
    try {
      this.#deps.transact(group.map(({ step }) => step));
      this.#busySince = undefined;
    } catch (error) {
      this.#refused(group, error);
      return;
    }
    const durable: Write[] = [];
    for (const write of group) {
      if (write.expendable) write.settle();
      else durable.push(write);
    }
    if (durable.length > 0) this.#sync(durable);
    else this.#schedule();
  }

  /** Waits for another process to let go of the file; every other failure is the group's. */
  #refused(group: readonly Write[], error: unknown): void {
    const now = performance.now();
    this.#busySince ??= now;
    if (this.#deps.isBusy(error) && now - this.#busySince < BUSY_PATIENCE_MS) {
      this.#waiting = [...group, ...this.#waiting];
      this.#isScheduled = true;
      setTimeout(() => { this.#commit(); }, BUSY_RETRY_MS);
      return;
    }
    this.#busySince = undefined;
    for (const { reject } of group) reject(new StoreUnavailableError(error));
    this.#schedule();
  }

  #sync(group: readonly Write[]): void {
    const synced = this.#deps.sync().then(() => {
      this.#underWay = undefined;
      for (const { settle } of group) settle();
      this.#schedule();
    }, (error: unknown) => { throw this.#fail(group, error); });
    // Each write is told by itself.
    synced.catch(() => undefined);
    this.#underWay = { keys: new Set(group.map(({ key }) => key)), synced };
  }

  /** After a failed sync the system may have dropped what it could not write, and the next sync would not tell: no write
   *  is believed any more. */
  #fail(group: readonly Write[], cause: unknown): Error {
    const failure = new StoreUnavailableError(new Error('The disk did not take a write; the process must be started anew.', { cause }));
    this.#underWay = undefined;
    this.#failure = failure;
    for (const { reject } of [...group, ...this.#waiting]) reject(failure);
    this.#waiting = [];
    return failure;
  }
}
