/** Exports of the first stage for later chunks (`build/shared-first-stage.ts`). An object, because a bundler adds a getter for
 *  each name of a module's namespace. */

import { _$LH, css, html, LitElement, noChange, nothing, render } from 'lit';
import { authorizeUrl, bffAddress } from './client/address.ts';
import { networkProblem } from './client/network-problem.ts';
import { parseUrl } from './lib/parse-url.ts';
import { Draft, draftStorageKey, readDraft } from './storage/draft.ts';
import { pageIdentity } from './storage/page-identity.ts';
import { VestibuleCompletedEvent, VestibuleErrorEvent, VestibulePostedEvent, VestibuleStateEvent } from './events.ts';
import { openSignInWindow } from './session/sign-in-window.ts';
import { Localizer } from './locales/localizer.ts';
import { hintKey, needsSecondStage, needsSession, RETURN_MARKER } from './storage/session-hint.ts';
import { list, read, remove, write } from './storage/storage.ts';
import { controls, tokens } from './styles/tokens.ts';

export const firstStage = {
  _$LH, css, html, LitElement, noChange, nothing, render,
  authorizeUrl, bffAddress, openSignInWindow, networkProblem,
  Draft, draftStorageKey, readDraft, list, read, remove, write, parseUrl, needsSecondStage, needsSession, pageIdentity,
  VestibuleCompletedEvent, VestibuleErrorEvent, VestibulePostedEvent, VestibuleStateEvent,
  Localizer, hintKey, RETURN_MARKER, controls, tokens,
};
