/** Leads each element of the page to its state: sets its BFF's answers first, then does what its reader has done. Says
 *  `data-reached` on the element once the words are there, `data-failed` on its place where it cannot get there. */

for (const place of document.querySelectorAll('[data-state]')) {
  lead(place).catch((error) => {
    place.dataset.failed = String(error);
    reportError(error);
  });
}

/** @param {Element} place */
async function lead(place) {
  const { tag, attributes = {}, bff, syncReturn, slotted, steps = [], shows } = JSON.parse(place.dataset.state);
  const url = new URL(`/bff/${crypto.randomUUID()}/`, location.href).href;
  await fetch(`${url}-script`, { method: 'POST', body: JSON.stringify(bff ?? {}) });

  await customElements.whenDefined('vestibule-comments');
  const element = document.createElement(tag);
  const { 'data-taken': taken, 'data-windows': windows, ...others } = attributes;
  for (const [name, value] of Object.entries({ forum: 'news', bff: url, ...others })) element.setAttribute(name, value);
  if (taken === 'granted') {
    element.taken = {
      kind: 'granted',
      syncReturn: { code: 'c0de', username: 'Ada Quill', user_id: '42', audiencesync_uri: 'https://service.example/audiencesync/complete/' },
    };
  } else if (taken) {
    element.taken = { kind: taken };
  }
  if (syncReturn) element.syncReturn = syncReturn;
  if (slotted) element.append(...createSlotted());
  element.addEventListener('vestibule-completed', (event) => event.preventDefault());
  place.append(element);
  if (tag === 'vestibule-sync') await customElements.whenDefined(tag);

  for (const step of steps) {
    if (step.press) await press(element, step.press, windows === 'open');
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

async function press(element, words, opensWindows) {
  const find = () => [...element.shadowRoot.querySelectorAll('button')].find((button) => !button.hidden && button.textContent.trim() === words);
  await until(find);
  const { open } = window;
  window.open = () => (opensWindows ? { closed: false, close() {}, location: { replace() {} } } : null);
  find().click();
  window.open = open;
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

/** Waits as long as it takes: an element that is far down the page does nothing before it comes near. */
async function until(isSo) {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}
