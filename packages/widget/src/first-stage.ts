/** Exports of the first stage for later chunks (`build/shared-first-stage.ts`). An object, because a bundler adds a getter for
 *  each name of a module's namespace. */

import { _$LH, css, html, LitElement, noChange, nothing, render } from 'lit';
import { authorizeUrl, bffAddress } from './client/bff-address.ts';
import { networkProblem } from './client/network-problem.ts';
import { Draft } from './drafts/draft.ts';
import { pageIdentity } from './drafts/page-identity.ts';
import { VestibuleErrorEvent } from './events/error-event.ts';
import { openSignInWindow } from './lib/sign-in-window.ts';
import { Localizer } from './locales/localizer.ts';
import { hintKey, RETURN_MARKER } from './session/session-hint.ts';
import { controls, tokens } from './styles/tokens.ts';

export const firstStage = {
  _$LH, css, html, LitElement, noChange, nothing, render,
  authorizeUrl, bffAddress, openSignInWindow, networkProblem,
  Draft, pageIdentity, VestibuleErrorEvent, Localizer, hintKey, RETURN_MARKER, controls, tokens,
};
