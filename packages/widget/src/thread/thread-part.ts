/** A part of the thread in a chunk of its own, which loads with its occasion. */

import type { LitElement } from 'lit';
import { networkProblem } from '../client/problem.ts';
import { VestibuleErrorEvent } from '../error-event.ts';
import { Part } from '../lib/part.ts';

/** The page gets one event for consecutive failures. @param load imports the chunk */
export function threadPart<Module>(host: LitElement, load: () => Promise<Module>): Part<Module> {
  return new Part(load, {
    onChange: () => host.requestUpdate(),
    onFailure: () => host.dispatchEvent(new VestibuleErrorEvent(networkProblem)),
  });
}
