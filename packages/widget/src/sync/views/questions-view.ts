/** The publisher's questions; if there are none, only the reader's confirmation. Each sign-in has controls of its own: another
 *  reader's must not show earlier answers. */

import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { readerName } from '../../lib/reader-name.ts';
import { fill, plural } from '../../locales/phrase.ts';
import { answerErrorMessage } from '../error-message.ts';
import { renderField } from '../fields/render-field.ts';
import type { QuestionsStep } from '../sync-state.ts';
import { account, heading, primaryButton, problemNote, secondaryButton } from './parts.ts';
import type { SyncActions, SyncView } from './sync-view.ts';

export function questionsView(step: QuestionsStep, view: SyncView, actions: SyncActions): TemplateResult {
  const { confirm, questions } = view.words;
  const { user, fields } = step;
  const hasQuestions = fields.length > 0;
  const submit = hasQuestions ? questions.submit : fill(confirm.continueAs, { name: readerName(user) });
  return html`
    ${heading(view, hasQuestions ? questions.heading : confirm.heading)}
    ${hasQuestions ? nothing : html`<p class="about" id="about">${confirm.about}</p>`}
    ${account(user, hasQuestions ? fill(questions.signingInAs, { name: readerName(user) }) : undefined)}
    ${view.isSuperseded ? html`<p class="note" role="alert">${questions.superseded}</p>` : nothing}
    ${keyed(step.sync, html`
      <form novalidate @submit=${actions.submit} @input=${actions.edit} @change=${actions.edit}>
        ${hasQuestions ? fieldset(step, view, actions) : nothing}
        ${problemNote(view)}
        <div class="actions">
          ${primaryButton(view, { label: submit, wait: 'sending' })}
          ${secondaryButton(view, { label: hasQuestions ? questions.cancel : confirm.notYou, click: actions.cancel, wait: 'cancelling' })}
        </div>
      </form>
    `)}
  `;
}

function fieldset(step: QuestionsStep, view: SyncView, actions: SyncActions): TemplateResult {
  const { questions, answerErrors } = view.words;
  return html`
    <fieldset>
      <legend id="about">${questions.about}</legend>
      ${step.fields.some(({ required }) => required) ? html`<p class="quiet">${questions.requiredMark}</p>` : nothing}
      ${errorSummary(step, view, actions)}
      ${step.fields.map((field, index) => {
        const error = view.errors.get(field.name);
        return renderField({
          field,
          id: idOf(index),
          initial: step.initial.get(field.name),
          error: error === undefined ? undefined : answerErrorMessage(error, field, answerErrors, view.tag),
          words: questions,
        });
      })}
    </fieldset>
  `;
}

/** Links to each question with an error; an error of the BFF's that names no question appears here in the BFF's words. */
function errorSummary({ fields }: QuestionsStep, { errors, words, tag }: SyncView, { focusField }: SyncActions) {
  if (errors.size === 0) return nothing;
  return html`
    <div class="note danger" part="problem" id="summary" role="group" aria-labelledby="summary-text" tabindex="-1">
      <p id="summary-text" role="alert">${plural(tag, words.answerErrors.summary, errors.size)}</p>
      <ul>
        ${[...errors].map(([name, error]) => {
          const index = fields.findIndex((field) => field.name === name);
          const field = fields[index];
          return html`<li>${field
            ? html`<button type="button" class="link" @click=${() => focusField(idOf(index))}><bdi>${field.label}</bdi></button>`
            : html`<bdi>${typeof error === 'string' ? name : error.message}</bdi>`}</li>`;
        })}
      </ul>
    </div>
  `;
}

function idOf(index: number): string {
  return `answer-${index}`;
}
