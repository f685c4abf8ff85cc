/** Why something failed, in words for the reader. */

import { html } from 'lit';
import { PROBLEM_TYPE_PREFIX, refusalReason } from '@vestibule/shared';
import type { WidgetProblem, WidgetProblemType } from '../client/problem.ts';
import type { ProblemStrings } from '../locales/en-problems.ts';
import { phraseWith } from '../locales/phrase.ts';

/** Quotes the service's message and the publisher's reason. */
export function reasonView(problem: WidgetProblem, problems: ProblemStrings): unknown {
  const { type, detail } = problem;
  const name = type.slice(PROBLEM_TYPE_PREFIX.length) as WidgetProblemType;
  const text = Object.hasOwn(problems, name) ? problems[name] : detail;
  const reason = refusalReason(problem);
  return reason ? [phraseWith(`${text} `), html`<q><bdi>${reason}</bdi></q>`] : phraseWith(text);
}
