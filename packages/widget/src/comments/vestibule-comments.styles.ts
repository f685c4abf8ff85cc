/** Styles of the first stage of the comment box. The second stage moves nothing. */

import { css } from 'lit';

export const styles = css`
  .row,
  #account {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25em 1em;
    align-items: center;
    min-block-size: 44px;
  }
  #status {
    flex: 1;
  }
  .primary {
    padding-inline: 1.25em;
  }
  #heading {
    font: var(--vestibule-heading-font, inherit);
    font-size: 1.375em;
    font-weight: 600;
    line-height: 1.25;
  }
  #account,
  label {
    font-size: 0.875em;
  }
  label {
    display: block;
    margin-block-end: 0.375em;
    color: var(--v-muted);
  }
  ::placeholder {
    color: var(--v-muted);
    opacity: 1;
  }
  #text {
    min-block-size: 7.5em;
    max-block-size: 70dvh;
    field-sizing: content;
    padding: 0.75em 1em;
    margin-block-end: var(--v-space);
  }
`;
