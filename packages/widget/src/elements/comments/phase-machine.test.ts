import { expect, fixture, html } from '@open-wc/testing';
import { LitElement, type TemplateResult } from 'lit';
import type { CommentsState } from './comments-state.ts';
import { message, PhaseMachine } from './phase-machine.ts';
import type { CommentsHost } from './second-stage.ts';

/** Has a field, a button, and a panel if the test gives it one. */
class TestHost extends LitElement {
  static override readonly properties = { panel: {}, hasButton: {} };

  declare panel: TemplateResult | undefined;
  declare hasButton: boolean;
  readonly machine = new PhaseMachine(this as unknown as CommentsHost, () => this.#state);

  constructor() {
    super();
    this.panel = undefined;
    this.hasButton = true;
  }

  get field(): HTMLTextAreaElement {
    return this.renderRoot.querySelector('textarea')!;
  }

  get button(): HTMLButtonElement {
    return this.renderRoot.querySelector('button.plain')!;
  }

  get focused(): Element | null {
    return this.shadowRoot!.activeElement;
  }

  get #state(): CommentsState {
    const { phase, announcement } = this.machine;
    return {
      phase,
      announcement,
      session: { view: undefined, failure: undefined, isRetrying: false },
      callback: undefined,
      draft: { text: '', other: '', isKept: true, left: 1, isNearLimit: false },
      isOnline: true,
      posts: [],
    };
  }

  protected override willUpdate(): void {
    if (this.hasUpdated) this.machine.rememberFocus();
  }

  protected override updated(): void {
    this.machine.keepFocus();
  }

  protected override render(): TemplateResult {
    return html`<textarea></textarea><button class="plain" ?hidden=${!this.hasButton}>A button</button>${this.panel}`;
  }
}
customElements.define('test-host', TestHost);

const question = html`<div class="panel"><button class="other">No</button><button class="primary">Yes</button></div>`;
const loadingForm = html`<div class="panel" tabindex="-1"><vestibule-sync tabindex="-1" .updateComplete=${Promise.resolve(true)}></vestibule-sync></div>`;

let host: TestHost;
let machine: PhaseMachine;
let elsewhere: HTMLInputElement;

beforeEach(async () => {
  const page = await fixture(html`<div><test-host></test-host><input></div>`);
  host = page.querySelector<TestHost>('test-host')!;
  elsewhere = page.querySelector('input')!;
  ({ machine } = host);
  await host.updateComplete;
});

/** Until the update and the focus that follows it. */
async function settled(): Promise<void> {
  await host.updateComplete;
  await Promise.resolve();
}

describe('PhaseMachine', () => {
  it('is busy in the phases that wait for the BFF', () => {
    expect([machine.phase, machine.isBusy]).to.deep.equal([{ name: 'writing' }, false]);
    for (const [name, isBusy] of [['signing-out', true], ['waiting-for-window', false], ['cancelling-sync', true]] as const) {
      machine.go({ name });
      expect([machine.is(name), machine.is('posting', name), machine.is('posting'), machine.isBusy]).to.deep.equal([true, true, false, isBusy]);
    }
  });

  it('replaces the announcement with each transition, and updates the element', async () => {
    machine.go({ name: 'signing-out' }, { announce: message('signedOut') });
    expect([machine.announcement, host.isUpdatePending]).to.deep.equal([{ kind: 'message', message: 'signedOut' }, true]);
    await settled();
    machine.go({ name: 'writing' });
    expect(machine.announcement).to.equal(undefined);
    await settled();
    machine.announce(message('stopped'));
    expect([machine.phase, machine.announcement, host.isUpdatePending]).to.deep.equal([
      { name: 'writing' }, { kind: 'message', message: 'stopped' }, true,
    ]);
  });
});

describe('a transition', () => {
  it('without a target leaves the focus', async () => {
    host.button.focus();
    machine.go({ name: 'signing-out' });
    await settled();
    expect(host.focused).to.equal(host.button);
  });

  it('focuses the field, also past a panel', async () => {
    host.panel = question;
    host.button.focus();
    machine.go({ name: 'writing' }, { focus: 'field' });
    await settled();
    expect(host.focused).to.equal(host.field);
  });

  it('focuses the primary button of the panel that it shows', async () => {
    host.panel = question;
    machine.go({ name: 'confirming-sign-out' }, { focus: 'panel' });
    await settled();
    expect(host.focused?.className).to.equal('primary');
  });

  it('focuses the field if there is no panel, or none that takes the focus', async () => {
    for (const panel of [undefined, html`<div class="panel"><button class="primary" hidden>Yes</button></div>`]) {
      host.panel = panel;
      host.button.focus();
      machine.go({ name: 'writing' }, { focus: 'panel' });
      await settled();
      expect(host.focused).to.equal(host.field);
    }
  });

  it('leaves the focus on an element of the page', async () => {
    elsewhere.focus();
    machine.go({ name: 'writing' }, { focus: 'field' });
    await settled();
    expect(document.activeElement).to.equal(elsewhere);
  });
});

describe('a form that has loaded', () => {
  beforeEach(async () => {
    host.panel = loadingForm;
    await host.updateComplete;
  });

  it('gets the focus of its panel', async () => {
    machine.focus('panel');
    expect(host.focused?.className).to.equal('panel');
    machine.focusForm();
    await settled();
    expect(host.focused?.localName).to.equal('vestibule-sync');
  });

  it('gets the focus that goes to the panel', async () => {
    customElements.define('vestibule-sync', class extends HTMLElement {});
    machine.focus('panel');
    expect(host.focused?.localName).to.equal('vestibule-sync');
    host.renderRoot.querySelector<HTMLElement>('vestibule-sync')!.hidden = true;
    machine.focus('panel');
    expect(host.focused?.className, 'until it can take it').to.equal('panel');
  });

  it('leaves the focus that is elsewhere in the element, or in the page', async () => {
    for (const target of [host.field, elsewhere]) {
      target.focus();
      machine.focusForm();
      // A task, after which an error of the focus would have been reported.
      await new Promise((resolve) => { setTimeout(resolve); });
      expect([host.focused, document.activeElement]).to.include(target);
    }
  });

  it('may be gone', async () => {
    host.panel = undefined;
    await host.updateComplete;
    expect(() => machine.focusForm()).not.to.throw();
  });
});

describe('an update that hides the focused control', () => {
  it('moves the focus to the field', async () => {
    host.button.focus();
    host.hasButton = false;
    await settled();
    expect(host.focused).to.equal(host.field);
  });

  it('moves the focus to a panel with the primary action', async () => {
    host.button.focus();
    machine.go({ name: 'confirming-sign-out' });
    host.panel = question;
    host.hasButton = false;
    await settled();
    expect(host.focused?.className).to.equal('primary');
  });
});

describe('the field after a sign-in', () => {
  const { hasFocus } = document;
  let life: AbortController;
  beforeEach(() => { life = new AbortController(); });
  afterEach(() => {
    document.hasFocus = hasFocus;
    life.abort();
  });
  const windowFocus = (): boolean => window.dispatchEvent(new FocusEvent('focus'));

  it('gets the focus at once in the window that has it', () => {
    document.hasFocus = () => true;
    machine.focusFieldWhenPossible(life.signal);
    expect(host.focused).to.equal(host.field);
  });

  it('gets the focus once, when the window gets it', () => {
    document.hasFocus = () => false;
    machine.focusFieldWhenPossible(life.signal);
    expect(host.focused).to.equal(null);
    windowFocus();
    expect(host.focused, 'in a window that still has no focus').to.equal(null);
    document.hasFocus = () => true;
    windowFocus();
    expect(host.focused).to.equal(host.field);
    host.button.focus();
    windowFocus();
    expect(host.focused).to.equal(host.button);
  });

  it('gets no focus that the reader has put elsewhere, before or after the window gets it', () => {
    document.hasFocus = () => false;
    machine.focusFieldWhenPossible(life.signal);
    elsewhere.focus();
    document.hasFocus = () => true;
    windowFocus();
    expect(document.activeElement).to.equal(elsewhere);
    machine.focusFieldWhenPossible(life.signal);
    expect(document.activeElement).to.equal(elsewhere);
    elsewhere.blur();
    windowFocus();
    expect(host.focused).to.equal(null);
  });

  it('gets no focus after the element was removed', () => {
    document.hasFocus = () => false;
    machine.focusFieldWhenPossible(life.signal);
    life.abort();
    document.hasFocus = () => true;
    windowFocus();
    expect(host.focused).to.equal(null);
  });
});
