/** The articles in the order of the front page. Text and illustration of each are files named after its slug. */

import { readFileSync } from 'node:fs';
import { Html } from '../service/html.ts';

export interface Article {
  /** Last segment of its address. */
  readonly slug: string;
  readonly section: string;
  readonly title: string;
  readonly standfirst: string;
  readonly author: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly minutesToRead: number;
  readonly caption: string;
  /** Whether the box shows the comments of others. Without, as with a service that has the plain interface. */
  readonly hasThread: boolean;
  readonly illustration: Html;
  readonly body: Html;
}

function article(meta: Omit<Article, 'illustration' | 'body' | 'hasThread'> & { readonly hasThread?: false }): Article {
  return { hasThread: true, ...meta, illustration: read(`${meta.slug}.svg`), body: read(`${meta.slug}.html`) };
}

function read(file: string): Html {
  return new Html(readFileSync(new URL(`articles/${file}`, import.meta.url), 'utf8').trimEnd());
}

export const articles: readonly [Article, ...Article[]] = [
  article({
    slug: 'lamplighter', section: 'Town', author: 'Hanne Okafor', date: '2026-06-09', minutesToRead: 1,
    title: 'The last lamplighter of Quay Street',
    standfirst: 'For forty-one years Ilse Maron has lit the harbour’s gas lamps by hand. On Thursday the council decides whether a sensor could do it instead.',
    caption: 'Quay Street a little before nine, with two lamps to go.',
  }),
  article({
    slug: 'slow-railway', section: 'Coast', author: 'Emeka Vance', date: '2026-06-08', minutesToRead: 1,
    title: 'The railway that chose to be slow',
    standfirst: 'Three years ago the Dune Line cut its top speed by a third to spare a nesting bird. Then the passengers came.',
    caption: 'The 10.14 at kilometre nine, with its audience.',
  }),
  article({
    slug: 'town-clock', section: 'Opinion', author: 'Ottilie Brandt', date: '2026-06-07', minutesToRead: 1,
    title: 'Four minutes fast, and better for it',
    standfirst: 'On Sunday we vote on whether the town hall clock should tell the time. It never has. Let us keep it that way.',
    caption: 'Noon, more or less.',
  }),
  article({
    slug: 'tide-bell', section: 'Notices', author: 'Jonas Weir', date: '2026-06-06', minutesToRead: 1, hasThread: false,
    title: 'The bell buoy rings again',
    standfirst: 'A mussel had kept it silent since February. It has been asked to leave.',
    caption: 'The buoy on Monday, in good voice.',
  }),
];
