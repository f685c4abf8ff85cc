/** Leads each element of the page to its state: sets its BFF's answers first, then does what its reader has done. Says
 *  `data-reached` on the element once the words are there, `data-failed` on its place where it cannot get there. */

const { setItem } = Storage.prototype;
Storage.prototype.setItem = function (key, value) {
  if (value.includes('not be kept')) throw new DOMException('full', 'QuotaExceededError');
  setItem.call(this, key, value);
};

/** `METHOD URL` of requests that get no response. None is sent: Chromium opens only six connections to a host. */
const pending = new Set();
const { fetch } = window;
window.fetch = (url, options) => (
  pending.has(`${options?.method ?? 'GET'} ${String(url).split('?', 1)}`) ? new Promise(() => {}) : fetch(url, options)
);

/** Timers of at least this many ms do not fire: they would end a state, such as a wait for the next attempt. */
const LONG_TIMER_MS = 2000;
const { setTimeout: startTimer } = window;
window.setTimeout = (action, ms = 0, ...args) => (ms < LONG_TIMER_MS ? startTimer(action, ms, ...args) : -1);

for (const place of document.querySelectorAll('[data-state]')) {
  lead(place).catch((error) => {
    place.dataset.failed = String(error);
    reportError(error);
  });
}

/** @param {Element} place */
async function lead(place) {
  const state = JSON.parse(place.dataset.state);
  const { tag, attributes = {}, bff, pending: requests = [], syncReturn, slotted, steps = [], shows } = state;
  const url = new URL(`/bff/${crypto.randomUUID()}/`, location.href).href;
  await fetch(`${url}-script`, { method: 'POST', body: JSON.stringify(bff ?? {}) });
  for (const request of requests) pending.add(request.replace(' /', ` ${url}`));

  await customElements.whenDefined('vestibule-comments');
  // The page has one in its HTML, so that the script registers it.
  if (tag === 'vestibule-sync') await customElements.whenDefined(tag);
  const element = document.createElement(tag);
  const { 'data-callback': callback, 'data-windows': windows, 'data-untouched': untouched, ...others } = attributes;
  for (const [name, value] of Object.entries({ forum: 'news', bff: url, ...others })) element.setAttribute(name, value);
  if (callback) {
    const granted = { code: 'c0de', username: 'Ada Quill', user_id: '42', audiencesync_uri: 'https://service.example/audiencesync/complete/' };
    element.callback = callback === 'granted' ? { kind: 'granted', syncReturn: granted } : { kind: callback };
    // Any marker lets the box look for what it has to go on with.
    sessionStorage.setItem('vestibule:return', '{}');
  }
  // A browser lets a script close some tabs.
  if (tag === 'vestibule-sync') element.browser.close = () => false;
  if (syncReturn) element.syncReturn = syncReturn;
  if (slotted) element.append(...createSlotted());
  element.addEventListener('vestibule-completed', (event) => event.preventDefault());
  place.append(element);
  if (untouched === undefined) element.dispatchEvent(new FocusEvent('focusin'));

  for (const step of steps) {
    if (step.press) await press(element, step, windows === 'open');
    else if (step.elsewhere) writeElsewhere(element, step.elsewhere);
    else if (step.message) await receive(element, step.message);
    else await write(element, step);
  }
  await until(() => wordsOf(element.shadowRoot).includes(shows));
  await Promise.allSettled(document.getAnimations({ subtree: true }).filter(isFinite).map((animation) => animation.finished));
  element.dataset.reached = '';
}

function createSlotted() {
  const link = document.createElement('a');
  link.slot = 'back';
  link.className = 'back';
  link.href = '/';
  link.textContent = 'To the front page';
  return [link];
}

async function press(element, { press: words, msAgo = 0 }, opensWindows) {
  const find = () => [...element.shadowRoot.querySelectorAll('button')].find((button) => !button.hidden && button.textContent.trim() === words);
  await until(find);
  const { open, setTimeout } = window;
  const { now } = Date;
  window.open = () => (opensWindows ? frameOf(element).contentWindow : null);
  window.setTimeout = (action, ms) => setTimeout(action, ms - msAgo);
  Date.now = () => now() - msAgo;
  find().click();
  Object.assign(window, { open, setTimeout });
  Date.now = now;
}

/** Stands for the window that the element has opened. */
function frameOf(element) {
  const frame = element.parentElement.querySelector('iframe') ?? element.parentElement.appendChild(document.createElement('iframe'));
  frame.hidden = true;
  frame.title = 'A window';
  return frame;
}

/** A message of the form page in that window. */
async function receive(element, message) {
  await until(() => wordsOf(element.shadowRoot).includes('other window'));
  const { contentWindow: source } = frameOf(element);
  dispatchEvent(new MessageEvent('message', { data: { vestibule: message }, origin: location.origin, source }));
}

/** A tab that was asleep has stored another text. */
function writeElsewhere(element, text) {
  localStorage.setItem(element.draft.storageKey, JSON.stringify({ text, other: '', updatedAt: Date.now() + 5 }));
}

async function write(element, { write: text, into }) {
  const find = () => [...element.shadowRoot.querySelectorAll('label')].find((label) => into === undefined || label.textContent.includes(into));
  await until(() => find()?.control);
  const { control } = find();
  if (control.type === 'checkbox') control.checked = true;
  else control.value = text;
  control.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}

/** Of an element within the element as well. */
function wordsOf(root) {
  const inner = [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? [wordsOf(shadowRoot)] : []));
  return [root.textContent, ...inner].join(' ').replace(/\s+/g, ' ');
}

function isFinite(animation) {
  return animation.effect.getComputedTiming().iterations !== Infinity;
}

/** Waits as long as it takes. */
async function until(isSo) {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}
