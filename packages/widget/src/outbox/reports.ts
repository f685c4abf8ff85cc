/**
 * What is said of entries: each change of state once for each press, at the box of its article; a failure, if no such box is
 * there, at the box that was used last; otherwise when a box comes.
 */

import type { PostCreated } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import { isAt, type EntryKey, type OutboxEntry, type Place } from './outbox-entry.ts';
import { rowOf, type Row } from './outbox-state.ts';

/** A place where entries are shown: a box, as it is now. */
export interface Outlet extends Place {
  /** One article in one document, until another article. */
  readonly visit: string;
  /** BCP 47 tag of reasons; empty: the browser's. */
  readonly language: string;
  /** Entries may have changed. */
  onChange(): void;
  /** A change of state is to be said here. */
  tell(report: Report): void;
}

export interface Report {
  readonly entry: OutboxEntry;
  readonly row: Row;
  /** Of the response behind it. */
  readonly problem?: WidgetProblem | undefined;
  readonly created?: PostCreated | undefined;
  /** No box of its article is there. */
  readonly isElsewhere: boolean;
}

interface Facts {
  /** The entry as it is now. */
  read(key: EntryKey): OutboxEntry | undefined;
  visitOf(key: EntryKey): string | undefined;
}

export class Reports {
  readonly #outlets: ReadonlySet<Outlet>;
  readonly #facts: Facts;
  readonly #told = new Set<string>();
  #untold: Report[] = [];

  /** @param outlets the one that was used last comes last */
  constructor(outlets: ReadonlySet<Outlet>, facts: Facts) {
    this.#outlets = outlets;
    this.#facts = facts;
  }

  drop(isOver: (entry: OutboxEntry) => boolean): void {
    this.#untold = this.#untold.filter(({ entry }) => !isOver(entry));
  }

  /** Says a change of the entry once for each press. */
  tell(entry: OutboxEntry, about: Pick<Report, 'problem' | 'created'> = {}): void {
    const row = rowOf(entry);
    const told = `${entry.id} ${entry.pressedAt} ${row}`;
    if (this.#told.has(told)) return;
    this.#told.add(told);
    this.#untold.push({ entry, row, ...about, isElsewhere: false });
    this.flush();
  }

  /** What is not said yet: at the box of the article; a failure also at another one of the account; otherwise when one comes. */
  flush(): void {
    this.#untold = this.#untold.filter((report) => {
      const { entry, row } = report;
      const stored = this.#facts.read(entry);
      if (stored?.pressedAt !== entry.pressedAt || rowOf(stored) !== row) return false;
      const outlets = [...this.#outlets].toReversed();
      const here = outlets.find((outlet) => isShownAt(outlet, entry, this.#facts.visitOf(entry)));
      const elsewhere = outlets.find(({ bff, account }) => bff === entry.bff && account === entry.account);
      if (here) here.tell(report);
      else if (elsewhere && ['not-posted', 'session-over', 'unsure'].includes(row)) elsewhere.tell({ ...report, isElsewhere: true });
      else return true;
      return false;
    });
  }
}

function isShownAt(outlet: Outlet, entry: OutboxEntry, visit: string | undefined): boolean {
  return isAt(entry, outlet) || (outlet.visit === visit && outlet.bff === entry.bff && outlet.account === entry.account);
}
