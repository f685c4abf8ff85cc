/** The publisher's questions; without any, the reader's going on is all that is asked. */

import { html, nothing, type TemplateResult } from 'lit';
import { readerName } from '../../../lib/reader-name.ts';
import { fill, plural } from '../../../locales/phrase.ts';
import { faultWords } from '../fault-words.ts';
import { renderField } from '../fields/render-field.ts';
import type { QuestionsStep } from '../sync-step.ts';
import { account, heading, primaryButton, problemNote, secondaryButton } from './parts.ts';
import type { SyncView } from './sync-view.ts';

export function questionsView(step: QuestionsStep, view: SyncView): TemplateResult {
  const { confirm, questions } = view.words;
  const { user, fields } = step;
  const hasQuestions = fields.length > 0;
  const submit = hasQuestions ? questions.submit : fill(confirm.continueAs, { name: readerName(user) });
  return html`
    ${heading(view, hasQuestions ? questions.heading : confirm.heading)}
    ${hasQuestions ? nothing : html`<p class="about" id="about">${confirm.about}</p>`}
    ${account(user, hasQuestions ? fill(questions.signingInAs, { name: readerName(user) }) : undefined)}
    ${view.isSuperseded ? html`<p class="note" role="alert">${questions.superseded}</p>` : nothing}
    <form novalidate @submit=${view.submit} @input=${view.edit} @change=${view.edit}>
      ${hasQuestions ? fieldset(step, view) : nothing}
      ${problemNote(view)}
      <div class="actions">
        ${primaryButton(view, { label: submit, wait: 'sending' })}
        ${secondaryButton(view, { label: hasQuestions ? questions.cancel : confirm.notYou, click: view.cancel, wait: 'cancelling' })}
      </div>
    </form>
  `;
}

function fieldset(step: QuestionsStep, view: SyncView): TemplateResult {
  const { questions, faults } = view.words;
  return html`
    <fieldset>
      <legend id="about">${questions.about}</legend>
      ${step.fields.some(({ required }) => required) ? html`<p class="quiet">${questions.requiredMark}</p>` : nothing}
      ${faultSummary(step, view)}
      ${step.fields.map((field, index) => {
        const fault = view.faults.get(field.name);
        return renderField({
          field,
          id: idOf(index),
          initial: step.initial.get(field.name),
          fault: fault === undefined ? undefined : faultWords(fault, field, faults, view.tag),
          words: questions,
        });
      })}
    </fieldset>
  `;
}

/** Leads to each question at fault; a fault of the BFF's that names no question stands here in its own words. */
function faultSummary({ fields }: QuestionsStep, { faults, words, tag, focusField }: SyncView) {
  if (faults.size === 0) return nothing;
  return html`
    <div class="note danger" part="problem" id="summary" role="alert" tabindex="-1">
      <p>${plural(tag, words.faults.summary, faults.size)}</p>
      <ul>
        ${[...faults].map(([name, fault]) => {
          const index = fields.findIndex((field) => field.name === name);
          const field = fields[index];
          return html`<li>${field
            ? html`<button type="button" class="link" @click=${() => focusField(idOf(index))}><bdi>${field.label}</bdi></button>`
            : html`<bdi>${typeof fault === 'string' ? name : fault.message}</bdi>`}</li>`;
        })}
      </ul>
    </div>
  `;
}

function idOf(index: number): string {
  return `answer-${index}`;
}
