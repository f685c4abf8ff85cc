/** Styles of the element before its box is there. */

import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
  }
`;
