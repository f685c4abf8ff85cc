import { expect } from '@open-wc/testing';
import { openSignInWindow } from './sign-in-window.ts';

const { open, screenX, screenY, outerWidth, outerHeight } = window;

afterEach(() => Object.assign(window, { open, screenX, screenY, outerWidth, outerHeight }));

/** Arguments of `window.open` in a browser window at this place, of this size. */
function argumentsAt(place: Partial<Window>, url?: string): unknown[] {
  let given: unknown[] = [];
  const opened = { closed: false } as Window;
  Object.assign(window, place, { open: (...all: unknown[]) => { given = all; return opened; } });
  expect(openSignInWindow(url)).to.equal(opened);
  return given;
}

describe('openSignInWindow', () => {
  it('opens one window in the middle of the browser window', () => {
    expect(argumentsAt({ screenX: 100, screenY: 50, outerWidth: 1480, outerHeight: 920 }, 'https://bff.example/form'))
      .to.deep.equal(['https://bff.example/form', 'vestibule-sync', 'popup,width=480,height=720,left=600,top=150']);
  });

  it('keeps an empty window on the screen of a small browser window', () => {
    expect(argumentsAt({ screenX: 0, screenY: 0, outerWidth: 400, outerHeight: 600 }))
      .to.deep.equal(['about:blank', 'vestibule-sync', 'popup,width=480,height=720,left=0,top=0']);
  });

  it('returns null if the browser blocks the window or closes it', () => {
    for (const opened of [null, { closed: true } as Window]) {
      window.open = () => opened;
      expect(openSignInWindow()).to.equal(null);
    }
  });
});
