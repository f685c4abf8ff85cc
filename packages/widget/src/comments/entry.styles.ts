/** Styles of the entries of the outbox, in the box and in its thread. */

import { css } from 'lit';

export const entryStyles = css`
  /* One height in all states, that of the longest sentence: nothing below moves. */
  .entry {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0 0.75em;
    min-block-size: 44px;
    font-size: 0.875em;
    line-height: 1.25;
    color: var(--v-muted);
  }
  .say {
    min-inline-size: 0;
    outline-offset: 2px;
    overflow-wrap: anywhere;
    text-wrap: balance;
  }
  .say:not(.unfolded) {
    display: -webkit-box;
    overflow: clip;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  .entry .fold {
    flex: none;
    &[hidden] {
      display: none;
    }
  }
  .entry-acts {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    justify-content: end;
  }
  .entry .quiet {
    display: inline-flex;
    align-items: center;
    min-inline-size: 44px;
    min-block-size: 44px;
    margin: 0;
    padding: 0 8px;
    border: 0;
    font: inherit;
    color: inherit;
  }
  /* Large enough without. */
  .entry .quiet::after {
    content: none;
  }
  .entry-acts > :first-child {
    color: var(--v-text, currentColor);
    font-weight: 600;
  }
  .entry .dots {
    display: none;
    justify-content: center;
    font-weight: 600;
  }
  .dim .avatar {
    opacity: 0.55;
  }
  .entries {
    margin: 1.25em 0 0;
    padding: 0;
    list-style: none;
  }
  .entries > li {
    display: grid;
    grid-template-columns: 2.5em minmax(0, 1fr);
    column-gap: 12px;
    margin-block-end: 1em;
    overflow-wrap: anywhere;
  }
  .editor .field {
    field-sizing: content;
    box-sizing: border-box;
    inline-size: 100%;
    min-block-size: 4.9em;
    max-block-size: 40dvh;
    margin-block: 4px 8px;
    line-height: 1.55;
    resize: vertical;
  }
  @container (inline-size < 30em) {
    .entry {
      flex-wrap: wrap;
      min-block-size: 56px;
    }
    .say {
      flex: 1 1 9em;
      min-block-size: 44px;
      align-content: center;
    }
    .entry:not(.opened) .rest {
      display: none;
    }
    .entry .dots {
      display: inline-flex;
    }
    .entries > li {
      grid-template-columns: minmax(0, 1fr);
    }
    .entries .avatar {
      display: none;
    }
  }
  @media print {
    .entry {
      display: none;
    }
  }
`;
