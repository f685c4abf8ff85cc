/** Styles of the reader's actions in the thread. */

import { css } from 'lit';

export const styles = css`
  /* The ring of the focus has room within the comment, which clips. */
  .editor {
    padding-inline-end: 5px;
  }
  .editor .field {
    field-sizing: content;
    min-block-size: 4.9em;
    max-block-size: 70dvh;
    margin-block: 4px 8px;
    line-height: 1.55;
    resize: vertical;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5em;
    font-size: 0.9375em;
  }
  .question,
  .failure {
    margin-block: 0.75em 0.25em;
  }
  .question p {
    margin: 0 0 0.5em;
  }
  .failure {
    color: var(--v-danger);
    font-size: 0.9375em;
    overflow-wrap: anywhere;
  }
`;
