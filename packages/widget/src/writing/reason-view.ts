/** Why something failed, in words for the reader. */

import { html } from 'lit';
import { PROBLEM_TYPE_PREFIX } from '@vestibule/shared';
import type { WidgetProblem, WidgetProblemType } from '../client/problem.ts';
import type { ProblemStrings } from '../locales/en-problems.ts';
import { phraseWith } from '../locales/phrase.ts';

/** Quotes the detail of `service-refused` (the service's message) and of `post-rejected` (the publisher's reason). */
export function reasonView({ type, detail }: WidgetProblem, problems: ProblemStrings): unknown {
  const name = type.slice(PROBLEM_TYPE_PREFIX.length) as WidgetProblemType;
  const text = Object.hasOwn(problems, name) ? problems[name] : detail;
  const isQuoted = detail && (name === 'post-rejected' || name === 'service-refused');
  return isQuoted ? [phraseWith(`${text} `), html`<q><bdi>${detail}</bdi></q>`] : phraseWith(text);
}
