/** Leads each element of the page to its state by the steps of its reader. Sets `data-reached` on its place at the end. Runs
 *  before the widget's script. */

const { setItem } = Storage.prototype;
Storage.prototype.setItem = function (key, value) {
  if (value.includes('not be kept')) throw new DOMException('full', 'QuotaExceededError');
  setItem.call(this, key, value);
};

const places = [...document.querySelectorAll('[data-state]')];

/** `METHOD URL` of requests that get no response. None is sent: Chromium opens only six connections to a host. */
const pending = new Set(places.map(({ dataset, firstElementChild }) => (
  JSON.parse(dataset.state).pending?.replace(' /', ` ${firstElementChild.getAttribute('bff')}`)
)));
// A constant `fetch` of a script would shadow the function for modules.
const { fetch: send } = window;
window.fetch = (url, options) => (
  pending.has(`${options?.method ?? 'GET'} ${String(url).split('?', 1)}`) ? new Promise(() => {}) : send(url, options)
);

/** Longer timers do not fire: they would end a state, such as a wait for the next attempt. In milliseconds. */
const LONGEST_TIMER = 12_000;
const { setTimeout: startTimer } = window;
window.setTimeout = (action, ms = 0, ...args) => (ms < LONGEST_TIMER ? startTimer(action, ms, ...args) : -1);

window.close = () => {};
addEventListener('vestibule-completed', (event) => event.preventDefault());

for (const { dataset, firstElementChild } of places) {
  const { isOffline, isExpected } = JSON.parse(dataset.state);
  if (isOffline) Object.defineProperty(navigator, 'onLine', { value: false });
  if (isExpected) localStorage.setItem(`vestibule:session ${firstElementChild.getAttribute('bff')}`, JSON.stringify({ v: 1, user: { user_id: '42', username: 'Ada Quill' } }));
}

for (const place of places) void lead(place, JSON.parse(place.dataset.state));

async function lead(place, { isUntouched, opensWindows, steps = [], shows }) {
  const element = place.firstElementChild;
  await customElements.whenDefined(element.localName);
  await element.updateComplete;
  if (!isUntouched && element.localName === 'vestibule-comments') {
    // The box listens, once it is there.
    await until(() => controlsOf(element, 'textarea').length > 0);
    element.dispatchEvent(new FocusEvent('focusin'));
  }
  for (const step of steps) {
    if (step.press) await press(element, step.press, opensWindows);
    else if (step.write) await write(element, step);
    else if (step.set) element.toggleAttribute(step.set, true);
    else {
      // The second stage of the box, or the thread, listens.
      await until(() => controlsOf(element, '.line .quiet, li').length > 0);
      if (step.restore) dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      else new BroadcastChannel(`vestibule ${element.getAttribute('bff')}`).postMessage({ vestibule: step.announce });
    }
  }
  await until(() => wordsOf(element.shadowRoot).includes(shows));
  await Promise.allSettled(document.getAnimations({ subtree: true }).filter(isFinite).map((animation) => animation.finished));
  place.dataset.reached = '';
}

async function press(element, words, opensWindows) {
  const find = () => controlsOf(element, 'button').find((button) => !button.hidden && button.textContent.trim() === words);
  await until(find);
  const { open } = window;
  window.open = () => (opensWindows ? frameBeside(element).contentWindow : null);
  find().click();
  window.open = open;
}

/** Stands for the window that the element opens. */
function frameBeside(element) {
  const frame = element.parentElement.appendChild(document.createElement('iframe'));
  Object.assign(frame, { hidden: true, title: 'A window' });
  return frame;
}

async function write(element, { write: text, into = '', after = '' }) {
  const find = () => controlsOf(element, 'label').find(({ textContent }) => textContent.includes(into))?.control;
  await until(() => find() && wordsOf(element.shadowRoot).includes(after));
  const control = find();
  if (control.type === 'checkbox') control.checked = true;
  else control.value = text;
  control.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}

/** Of nested elements too. */
function controlsOf({ shadowRoot }, selector) {
  return [...shadowRoot.querySelectorAll('*')].flatMap((inner) => [
    ...(inner.matches(selector) ? [inner] : []), ...(inner.shadowRoot ? controlsOf(inner, selector) : []),
  ]);
}

/** Of nested elements too. */
function wordsOf(root) {
  const inner = [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? [wordsOf(shadowRoot)] : []));
  return [root.textContent, ...inner].join(' ').replace(/\s+/g, ' ');
}

function isFinite(animation) {
  return animation.effect.getComputedTiming().iterations !== Infinity;
}

/** The test that loads the page has the deadline. */
async function until(isSo) {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}
