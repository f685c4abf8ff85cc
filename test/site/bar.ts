/** What the demonstration adds to the pages of the paper: a bar with switches, what to try, and the requests of the last sign-in
 *  and post. */

import { attribute, html, type Html } from '../service/html.ts';

/** Choices for one view of a page, in its query; the first value is the default. */
const choices = {
  sync: { label: 'Sign-in', values: { popup: 'window', inline: 'page' } },
  theme: { label: 'Looks', values: { auto: 'system', light: 'light', dark: 'dark' } },
  lang: { label: 'Language', values: { en: 'English', de: 'Deutsch', ar: 'العربية' } },
  width: { label: 'Width', values: { full: 'full', phone: 'phone' } },
} as const;

type Choice = keyof typeof choices;

export type View = Readonly<Record<Choice, string>>;

/** Switches of the BFF and the service, and of the article at the service: their state now. */
export interface Switches {
  readonly service: 'running' | 'down';
  readonly variant: 'standard' | 'embedded';
  readonly approval: 'off' | 'on';
  readonly comments: 'open' | 'closed';
}

const switches = {
  service: { label: 'Service', values: ['running', 'down'] },
  variant: { label: 'Variant', values: ['standard', 'embedded'] },
  approval: { label: 'Approval', values: ['off', 'on'] },
  comments: { label: 'Article', values: ['open', 'closed'] },
} as const;

/** @param query of the page; other values are the default */
export function viewOf(query: Readonly<Record<string, unknown>>): View {
  return Object.fromEntries(Object.entries(choices).map(([name, { values }]) => (
    [name, Object.keys(values).find((value) => value === query[name]) ?? Object.keys(values)[0]]
  ))) as View;
}

/** The view as a query with its question mark, or nothing. */
export function searchOf(view: View): string {
  const chosen = Object.entries(view).filter(([name, value]) => value !== Object.keys(choices[name as Choice].values)[0]);
  return chosen.length > 0 ? `?${new URLSearchParams(chosen)}` : '';
}

export interface BarOptions {
  /** Path of the page. */
  readonly path: string;
  readonly view: View;
  readonly state: Switches;
  /** Whether the page has the box. */
  readonly isArticle: boolean;
}

export function bar({ path, view, state, isArticle }: BarOptions): Html {
  const isShown = (name: string) => isArticle || !['sync', 'approval', 'comments'].includes(name);
  const links = Object.entries(choices).filter(([name]) => isShown(name)).map(([name, { label, values }]) => html`
<p><span>${label}</span>${Object.entries(values).map(([value, text]) => html`<a href="${path}${searchOf({ ...view, [name]: value })}${isArticle && '#comments'}"${
  attribute('lang', name === 'lang' ? value : undefined)}${attribute('aria-current', view[name as Choice] === value ? 'true' : undefined)}>${text}</a>`)}</p>`);
  const buttons = Object.entries(switches).filter(([name]) => isShown(name)).map(([name, { label, values }]) => html`
<p><span>${label}</span>${values.map((value) => html`<button name="set" value="${name}=${value}" aria-pressed="${
  String(state[name as keyof Switches] === value)}">${value}</button>`)}${
  name === 'approval' && state.approval === 'on' && html`<button name="set" value="approve=all">approve all</button>`}</p>`);
  return html`<aside class="demonstration" aria-label="Demonstration">
<p><b>Demonstration:</b> the service “Parley” is emulated.</p>
<form class="switches" method="post" action="/demonstration"><input type="hidden" name="back" value="${path}${searchOf(view)}">${links}${buttons}</form>
</aside>`;
}

export const tryList = html`<aside class="try" aria-labelledby="try">
<h2 id="try">Try</h2>
<ul>
<li><b>Sign in</b> with any account, and post.</li>
<li><b>Deny access</b> at Parley.</li>
<li><b>Say 17</b> when you are asked for your age.</li>
<li><b>Leave the rules</b> unticked.</li>
<li><b>Unplug the service</b> (“Service down” above) and post.</li>
<li><b>Reply</b> to a comment.</li>
<li><b>Copy a link</b> to a comment, and open it.</li>
</ul>
<p>“What just happened”, at the foot of the window, shows the requests.</p>
</aside>`;

export const traceView = html`<details class="trace"><summary>What just happened</summary>
<div><p>Nothing yet: sign in or post, and the requests between browser, server and service stand here.</p></div></details>`;
