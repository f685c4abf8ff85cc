/** What went wrong, in words, and that nothing is lost. */

import { html, nothing } from 'lit';
import { PROBLEM_TYPE_PREFIX } from '@vestibule/shared';
import type { WidgetProblem, WidgetProblemType } from '../../../api/problem.ts';
import { fill } from '../../../locales/phrase.ts';
import type { Engine } from '../engine.ts';

export function alertView(engine: Engine): unknown {
  const { complaint, poster: { posting }, way, host, strings: { alert } } = engine;
  if (complaint) return complaint === 'empty' ? alert.empty : engine.problemStrings['message-too-long'];
  if (posting.step === 'failed') return fill(alert.notPosted, { reason: reason(posting.problem, engine) });
  if (posting.step === 'unsure') return fill(alert.unsure, { reason: reason(posting.problem, engine) });
  const problem = way.problem ?? engine.problem;
  if (problem) return reason(problem, engine);
  if (way.isFormLost) return alert.formNotLoaded;
  return host.taken && host.taken.kind !== 'granted' ? alert.invalidReturn : nothing;
}

/** Quotes the detail of `service-refused` (the service's message) and of `post-rejected` (the publisher's reason). */
function reason({ type, detail }: WidgetProblem, { problemStrings, strings: { alert } }: Engine): unknown {
  const name = type.slice(PROBLEM_TYPE_PREFIX.length) as WidgetProblemType;
  if (name === 'network' && !navigator.onLine) return alert.offline;
  if (name === 'bad-service-response') return problemStrings['outcome-unknown'];
  const words = Object.hasOwn(problemStrings, name) ? problemStrings[name] : detail;
  if (name === 'post-rejected') return html`${words} <q><bdi>${detail}</bdi></q>`;
  return name === 'service-refused' ? [words, ' ', fill(alert.serviceSays, { words: html`<q><bdi>${detail}</bdi></q>` })] : words;
}
