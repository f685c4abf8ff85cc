import { expect } from '@open-wc/testing';
import { announceSessionChange, listenForRefusals, listenForSessionChanges, type SessionChange } from './session-channel.ts';

const HINT = { vestibule: 'changed' };
const bff = new URL('https://bff.example/comments/');

async function openFrame(): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  frame.src = '/packages/widget/testing/blank.html';
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  return frame;
}

/** Posts from within `frame`, so that it is the message's source, and comes back when the message has been through. */
async function postFrom(frame: HTMLIFrameElement, data: unknown): Promise<void> {
  const send = frame.contentWindow as unknown as { Function: typeof Function };
  const through = new Promise((resolve) => window.addEventListener('message', resolve, { once: true }));
  send.Function('data', 'parent.postMessage(data, location.origin)')(data);
  await through;
}

describe('listenForSessionChanges', () => {
  let heard: number;
  let life: AbortController;
  let frame: HTMLIFrameElement;

  beforeEach(async () => {
    heard = 0;
    life = new AbortController();
    frame = await openFrame();
  });

  afterEach(() => {
    life.abort();
    frame.remove();
  });

  function hear(origins: string[], isOwnWindow: (source: MessageEventSource | null) => boolean): void {
    listenForSessionChanges(bff, { origins, isOwnWindow, signal: life.signal }, () => { heard += 1; });
  }

  const isFrame = (source: MessageEventSource | null): boolean => source === frame.contentWindow;

  it('accepts a message of its own window at a trusted origin', async () => {
    hear([location.origin], isFrame);
    await postFrom(frame, HINT);
    expect(heard).to.equal(1);
  });

  it('ignores another origin', async () => {
    hear(['https://bff.example'], isFrame);
    await postFrom(frame, HINT);
    expect(heard).to.equal(0);
  });

  it('ignores a window that it did not open', async () => {
    hear([location.origin], () => false);
    await postFrom(frame, HINT);
    expect(heard).to.equal(0);
  });

  it('ignores other shapes', async () => {
    hear([location.origin], isFrame);
    for (const data of [null, 'changed', {}, { vestibule: 'other' }, { vestibule: 'signed-out' }, { vestibule: { toString: null } }, ['vestibule']]) await postFrom(frame, data);
    expect(heard).to.equal(0);
  });

  it('hears windows, and tells them, where the browser refuses channels', async () => {
    const { BroadcastChannel } = window;
    Object.assign(window, { BroadcastChannel: class { constructor() { throw new DOMException('', 'SecurityError'); } } });
    try {
      hear([location.origin], isFrame);
      await postFrom(frame, HINT);
      expect(heard).to.equal(1);
      announceSessionChange(bff, 'changed');
      life.abort();
    } finally {
      Object.assign(window, { BroadcastChannel });
    }
  });

  it('ignores everything after its signal has aborted', async () => {
    hear([location.origin], isFrame);
    life.abort();
    await postFrom(frame, HINT);
    expect(heard).to.equal(0);
  });

  it('accepts messages of pages of its origin that use the same BFF', async () => {
    const heardChanges: SessionChange[] = [];
    const through = new Promise<void>((resolve) => {
      listenForSessionChanges(bff, { origins: [], isOwnWindow: () => false, signal: life.signal }, (change) => {
        heardChanges.push(change);
        if (change === 'signed-in') resolve();
      });
    });
    announceSessionChange(new URL('https://bff.example/'), 'changed');
    announceSessionChange(bff, 'signed-in');
    await through;
    expect(heardChanges).to.deep.equal(['signed-in']);
  });
});

describe('a channel of a BFF', () => {
  /** Open ones. */
  const channels = new Set<BroadcastChannel>();
  const { BroadcastChannel } = window;

  beforeEach(() => {
    window.BroadcastChannel = class extends BroadcastChannel {
      constructor(name: string) {
        super(name);
        channels.add(this);
      }

      override close(): void {
        channels.delete(this);
        super.close();
      }
    };
  });

  afterEach(() => {
    window.BroadcastChannel = BroadcastChannel;
    for (const channel of channels) channel.close();
  });

  function listen(signal: AbortSignal, onChange: (change: SessionChange, instance?: string) => void): void {
    listenForSessionChanges(bff, { origins: [], isOwnWindow: () => false, signal }, onChange);
  }

  it('is closed after a message, and when its listener ends', () => {
    announceSessionChange(bff, 'changed');
    expect(channels.size).to.equal(0);
    const life = new AbortController();
    listen(life.signal, () => {});
    expect(channels.size).to.equal(1);
    life.abort();
    expect(channels.size).to.equal(0);
    listen(life.signal, () => {});
    expect(channels.size).to.equal(0);
  });

  it('carries each change and the instance of a failure, and nothing else', async () => {
    const heard: unknown[] = [];
    const through = new Promise<void>((resolve) => {
      listen(AbortSignal.any([]), (...all) => {
        heard.push(all);
        if (all[0] === 'signed-out') resolve();
      });
    });
    const channel = new window.BroadcastChannel(`vestibule ${bff.href}`);
    for (const data of ['changed', null, { vestibule: 'other' }, { vestibule: 'changed', instance: 7 }]) channel.postMessage(data);
    for (const change of ['changed', 'signed-in', 'already-granted'] as const) announceSessionChange(bff, change);
    announceSessionChange(bff, 'signed-out', [], 'urn:vestibule:request:a');
    await through;
    expect(heard).to.deep.equal([
      ['changed', undefined], ['signed-in', undefined], ['already-granted', undefined], ['signed-out', 'urn:vestibule:request:a'],
    ]);
  });
});

describe('listenForRefusals', () => {
  it('accepts a problem of its own window at a trusted origin', async () => {
    const refused: string[] = [];
    const frame = await openFrame();
    const life = new AbortController();
    const problem = { type: 'urn:vestibule:forum-not-allowed', title: 'No', status: 403, detail: 'No.', retryable: false };
    const listen = (name: string, origin: string, isOwnWindow: boolean): void => {
      listenForRefusals({ origins: [origin], isOwnWindow: () => isOwnWindow, signal: life.signal }, ({ type }) => refused.push(`${name} ${type}`));
    };
    listen('own', location.origin, true);
    listen('other origin', 'https://bff.example', true);
    listen('other window', location.origin, false);
    for (const data of [null, 'changed', problem, HINT, { vestibule: { ...problem, type: 'other' } }, { vestibule: problem }]) await postFrom(frame, data);
    expect(refused).to.deep.equal(['own urn:vestibule:forum-not-allowed']);
    life.abort();
    await postFrom(frame, { vestibule: problem });
    expect(refused).to.have.length(1);
    frame.remove();
  });
});

describe('announceSessionChange', () => {
  afterEach(() => {
    window.opener = null;
  });

  it('sends to the opener by exact origin, and to no invalid origin', () => {
    const told: unknown[] = [];
    window.opener = { postMessage: (data: unknown, origin: string) => told.push([data, origin]) };
    announceSessionChange(bff, 'changed', ['https://www.example.com', 'http://localhost:8080', 'ws://http:8080', 'http://[', '*', '/', 'null', 'https://www.example.com/path', 'javascript:1', '', 'https://www.example.com']);
    expect(told).to.deep.equal([[HINT, 'https://www.example.com'], [HINT, 'http://localhost:8080']]);
  });

  it('sends to nobody in a window without an opener', () => {
    window.opener = null;
    announceSessionChange(bff, 'changed', ['https://www.example.com']);
  });

  it('contains only how the sign-in ended, and the instance of a failure', () => {
    const told: string[] = [];
    window.opener = { postMessage: (data: unknown) => told.push(JSON.stringify(data)) };
    announceSessionChange(bff, 'signed-in', ['https://www.example.com']);
    announceSessionChange(bff, 'changed', ['https://www.example.com'], 'urn:vestibule:request:a');
    expect(told).to.deep.equal(['{"vestibule":"signed-in"}', '{"vestibule":"changed","instance":"urn:vestibule:request:a"}']);
  });
});
