/** What later chunks may import from modules of the first stage (`build/shared-first-stage.ts`). */

export { _$LH, css, html, LitElement, noChange, nothing, render } from 'lit';
export { bffAddress } from './client/bff-address.ts';
export { networkProblem } from './client/network-problem.ts';
export { Draft } from './drafts/draft.ts';
export { pageIdentity } from './drafts/page-identity.ts';
export { VestibuleErrorEvent } from './events/error-event.ts';
export { Localizer } from './locales/localizer.ts';
export { hintKey, RETURN_MARKER } from './session/session-hint.ts';
export { controls, tokens } from './styles/tokens.ts';
