/** Where a sign-in goes on in the box: who would be signed in, one that is not finished, or the form itself. */

import { html, nothing } from 'lit';
import { readerName } from '../../../lib/reader-name.ts';
import { fill } from '../../../locales/phrase.ts';
import type { Engine } from '../engine.ts';

export function signInView(engine: Engine) {
  switch (engine.way.step) {
    case 'form': return formView(engine);
    case 'confirm': return confirmView(engine);
    case 'unfinished': return unfinishedView(engine);
    case 'none': return nothing;
  }
}

function confirmView({ way, host, strings: { signIn } }: Engine) {
  if (host.taken?.kind !== 'granted') return nothing;
  const name = readerName(host.taken.syncReturn);
  return html`
    <div class="panel" part="sign-in">
      <p>${fill(signIn.about, { name })}</p>
      <div class="row">
        <button class="primary choice" part="button primary-button" aria-disabled=${way.isBusy || nothing}
          @click=${() => way.start()}>${fill(signIn.continueAs, { name })}</button>
        <button part="button" @click=${() => way.refuse()}>${signIn.notYou}</button>
      </div>
    </div>
  `;
}

function unfinishedView({ way, session, strings: { signIn } }: Engine) {
  return html`
    <div class="panel" part="sign-in">
      <p>${fill(signIn.unfinished, { name: session.sync && readerName(session.sync.user) })}</p>
      <div class="row">
        <button class="primary choice" part="button primary-button" aria-disabled=${way.isBusy || nothing}
          @click=${() => way.start()}>${signIn.goOn}</button>
        <button part="button" aria-disabled=${way.isBusy || nothing} @click=${() => void way.cancel()}>${signIn.cancel}</button>
      </div>
    </div>
  `;
}

function formView({ way, host }: Engine) {
  return html`
    <div class="panel" part="sign-in">
      <vestibule-sync class="choice" exportparts="question, field, problem, button, primary-button"
        bff=${host.bff ?? nothing} forum=${host.forum} lang=${host.localizer.tag}
        heading-level=${Math.min(host.headingLevel + 1, 6)}
        .strings=${host.strings}
        .syncReturn=${host.taken?.kind === 'granted' ? host.taken.syncReturn : undefined}
        @close=${() => way.hideForm()}
        @vestibule-state=${(event: Event) => way.followForm(event)}
        @vestibule-completed=${(event: Event) => way.endForm(event)}></vestibule-sync>
    </div>
  `;
}
