/** Text of the alert region: what went wrong, and whether the text is kept. */

import { html, nothing } from 'lit';
import { PROBLEM_TYPE_PREFIX } from '@vestibule/shared';
import type { WidgetProblem, WidgetProblemType } from '../../client/problem.ts';
import { fill } from '../../locales/phrase.ts';
import { referenceView } from '../../lib/reference-view.ts';
import type { CommentsView } from '../comments-view.ts';
import type { Words } from './words.ts';

export function alertView({ alert }: CommentsView, words: Words): unknown {
  const { strings, problems, textIsKept } = words;
  const reference = alert && 'problem' in alert ? referenceView(alert.problem, problems.reference) : nothing;
  switch (alert?.kind) {
    case 'error': return alert.error === 'too-long' ? problems['message-too-long'] : strings.alert[alert.error];
    case 'problem': return [reason(alert.problem, words), reference];
    case 'not-posted': return [fill(strings.alert.notPosted, { reason: reason(alert.problem, words) }), ' ', textIsKept, reference];
    case 'uncertain': return [reason(alert.problem, words), ' ', problems['outcome-unknown'], ' ', textIsKept, reference];
    case 'unconfirmed': return [fill(strings.alert.unconfirmed, { reason: reason(alert.problem, words) }), reference];
    case 'not-kept': return strings.draft.notKept;
    case undefined: return nothing;
  }
}

/** Quotes the detail of `service-refused` (the service's message) and of `post-rejected` (the publisher's reason). */
function reason({ type, detail }: WidgetProblem, { problems, strings: { alert } }: Words): unknown {
  const name = type.slice(PROBLEM_TYPE_PREFIX.length) as WidgetProblemType;
  if (name === 'network' && !navigator.onLine) return alert.offline;
  if (name === 'bad-service-response') return problems['outcome-unknown'];
  const text = Object.hasOwn(problems, name) ? problems[name] : detail;
  const quote = html`<q><bdi>${detail}</bdi></q>`;
  if (name === 'post-rejected') return detail ? [text, ' ', quote] : text;
  return name === 'service-refused' ? [text, ' ', fill(alert.serviceSays, { words: quote })] : text;
}
