/** The pages of the gallery: an index with every state, all states one below the other, and one page for each state. */

import { html, type Html } from '../service/html.ts';
import { boxStates } from './box-states.ts';
import { formStates } from './form-states.ts';
import { hosts } from './hosts/index.ts';
import type { State } from './state.ts';

function layout(title: string, main: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/assets/gallery.css">
<script type="module" src="/vestibule/widget.js"></script>
<script type="module" src="/assets/gallery.js"></script>
</head>
<body>${main}<vestibule-sync hidden bff="/bff/none/"></vestibule-sync></body>
</html>
`;
}

export function indexPage(): Html {
  const group = (title: string, states: readonly State[]): Html => html`<h2>${title}</h2><div class="states">${states.map(figure)}</div>`;
  return layout('Vestibule: every state', html`<header><h1>Vestibule: every state</h1>
<p>Both elements as built, in each state that lasts. Their answers come over HTTP from a scripted BFF; nothing leaves this machine. Each name leads to its state alone.</p>
<nav aria-label="Host pages">${hosts.map(({ name, title }) => html`<a href="/hosts/${name}">${title}</a>`)}</nav></header>
<main>${group('The comment box', boxStates)}${group('The form', formStates)}</main>`);
}

export function statePage(state: State): Html {
  return layout(state.name, html`<main class="alone"><h1>${words(state)}</h1>${place(state)}</main>`);
}

/** Each state has the width that it has on its own page. */
export function statesPage(states: readonly State[]): Html {
  return layout('Every state', html`<main class="alone"><h1>Every state</h1>${states.map((state) => html`<h2>${words(state)}</h2>${place(state)}`)}</main>`);
}

function figure(state: State): Html {
  return html`<figure><figcaption><a href="/states/${state.name}">${words(state)}</a></figcaption>${place(state)}</figure>`;
}

function place(state: State): Html {
  return html`<div id="${state.name}" data-state="${JSON.stringify(state)}"></div>`;
}

function words({ name }: State): string {
  return name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
}
