/** The reference of a failure, which finds its line in the site's log. Nothing if no response of the BFF came. */

import { css, html, nothing } from 'lit';
import { referenceOf } from '@vestibule/shared';
import { fill } from './fill.ts';

/** @param phrase with `{id}` */
export function referenceView(problem: { readonly instance?: string | undefined } | undefined, phrase: string): unknown {
  const id = problem && referenceOf(problem);
  // The space is not the element's own: Orca would leave it out.
  return id ? [' ', html`<span class="reference">${fill(phrase, { id: html`<bdi>${id}</bdi>` })}</span>`] : nothing;
}

export const referenceStyles = css`
  .reference {
    font-size: 0.875em;
    overflow-wrap: anywhere;
    bdi {
      font-family: ui-monospace, monospace;
      -webkit-user-select: all;
      user-select: all;
    }
  }
`;
