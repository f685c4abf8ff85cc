/** Deadlines of one length. What has the same time ends in the order in which it began, so one timer serves all that wait:
 *  a request has several deadlines and hardly ever meets one, and a timer of its own for each costs as much as reading it. */

/** Ends without a word where it is ended in time. */
export interface Deadline {
  end(): void;
}

export class Deadlines {
  /** Milliseconds. */
  readonly length: number;
  readonly #now: () => number;
  #first: Waiting | undefined;
  #last: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param now milliseconds, of a clock that is never set back */
  constructor(length: number, now: () => number = () => performance.now()) {
    this.length = length;
    this.#now = now;
  }

  /** Runs `onOver` when the time is over, never before. Keeps no process alive: what is waited for does. */
  begin(onOver: () => void): Deadline {
    const waiting = new Waiting(this.#now() + this.length, onOver);
    this.#dropEnded();
    if (this.#last) this.#last.next = waiting;
    else this.#first = waiting;
    this.#last = waiting;
    if (!this.#timer) this.#timer = this.#timerIn(this.length);
    return waiting;
  }

  #timerIn(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => { this.#meet(); }, delayMs).unref();
  }

  /** A timer counts from the turn in which it was set and may be early by the length of it: what is left is waited for. */
  #meet(): void {
    const now = this.#now();
    try {
      for (this.#dropEnded(); this.#first && this.#first.endsAt <= now; this.#dropEnded()) this.#first.meet();
    } finally {
      this.#timer = this.#first && this.#timerIn(Math.max(this.#first.endsAt - now, 0));
    }
  }

  /** Each lets go of the next: a chain of the dead would be taken for old and alive by the garbage collector. */
  #dropEnded(): void {
    while (this.#first?.isEnded) {
      const { next } = this.#first;
      this.#first.next = undefined;
      this.#first = next;
    }
    if (!this.#first) this.#last = undefined;
  }
}

class Waiting implements Deadline {
  readonly endsAt: number;
  #onOver: (() => void) | undefined;
  next: Waiting | undefined = undefined;

  constructor(endsAt: number, onOver: () => void) {
    this.endsAt = endsAt;
    this.#onOver = onOver;
  }

  get isEnded(): boolean {
    return this.#onOver === undefined;
  }

  end(): void {
    this.#onOver = undefined;
  }

  meet(): void {
    const onOver = this.#onOver;
    this.end();
    onOver?.();
  }
}
