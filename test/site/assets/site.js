/** “What just happened”: lists the last sign-in and the last post once a second while it is open. */

const trace = document.querySelector('.trace');
let shown = '[]';
trace.open = sessionStorage.getItem('trace') === 'open';
trace.addEventListener('toggle', () => {
  sessionStorage.setItem('trace', trace.open ? 'open' : 'closed');
  void refresh();
});
setInterval(() => void refresh(), 1_000);

async function refresh() {
  if (!trace.open || document.hidden) return;
  const text = await fetch('/demonstration/trace').then((response) => response.text()).catch(() => shown);
  if (text === shown) return;
  shown = text;
  trace.querySelector('div').replaceChildren(...JSON.parse(text).map(({ title, steps }) => element('section', {}, [
    element('h2', { textContent: title }),
    element('ol', {}, steps.map(({ way, status, purpose, text: request }) => element('li', {}, [
      element('p', {}, [element('b', { textContent: way }), ` ${purpose}`]),
      element('pre', { textContent: status === undefined ? request : `${request}\n→ ${status}` }),
    ]))),
  ])));
}

function element(name, properties, children = []) {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}
