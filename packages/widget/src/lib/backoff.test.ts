import { expect } from '@open-wc/testing';
import { backoffMs, delay } from './backoff.ts';

const never = (): number => 0;
const most = (): number => 1;

describe('backoffMs', () => {
  it('doubles with each try, up to a minute', () => {
    const waits = [1, 2, 3, 4, 20].map((attempt) => backoffMs(attempt, undefined, never));
    expect(waits).to.deep.equal([1000, 2000, 4000, 8000, 60_000]);
  });

  it('waits at least as long as the server asks', () => {
    expect(backoffMs(1, 7, never)).to.equal(7000);
    expect(backoffMs(5, 0, never)).to.equal(0);
  });

  it('adds some chance, a quarter and a quarter of a second at most', () => {
    expect(backoffMs(3, undefined, most)).to.equal(5250);
    expect(backoffMs(3)).to.be.within(4000, 5250);
  });
});

describe('delay', () => {
  it('ends with its signal', async () => {
    const controller = new AbortController();
    const wait = delay(60_000, controller.signal);
    controller.abort(new Error('over'));
    expect(await wait.catch((error: Error) => error.message)).to.equal('over');
    expect(await delay(60_000, controller.signal).catch((error: Error) => error.message)).to.equal('over');
  });

  it('leaves no timer after its signal', () => {
    const { clearTimeout } = window;
    const cleared: unknown[] = [];
    window.clearTimeout = (timer) => {
      cleared.push(timer);
      clearTimeout(timer);
    };
    try {
      const controller = new AbortController();
      delay(60_000, controller.signal).catch(() => {});
      controller.abort();
    } finally {
      Object.assign(window, { clearTimeout });
    }
    expect(cleared).to.have.length(1);
    expect(cleared[0]).to.be.a('number');
  });
});
