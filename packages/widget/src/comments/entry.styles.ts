/** Styles of the entries of the outbox, in the box and in its thread. */

import { css } from 'lit';

export const entryStyles = css`
  /* One height in all states, that of the longest sentence, of a posted comment too: nothing below moves. */
  .entry,
  .own > div > div > .acts {
    --v-lines: 3;
    min-block-size: max(var(--v-tap), var(--v-lines) * 1lh);
  }
  .entry {
    display: flex;
    align-items: center;
    gap: 0 0.75em;
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
    -webkit-line-clamp: var(--v-lines);
  }
  .entry .quiet.fold[hidden] {
    display: none;
  }
  .entry-acts {
    display: flex;
    flex: none;
    margin-inline-start: auto;
  }
  /* Large enough without. */
  .entry .quiet::after {
    content: none;
  }
  .entry .entry-acts .go {
    font-weight: 600;
  }
  .entry .entry-acts .dots {
    display: none;
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
  @container (inline-size < 36em) {
    .entry .entry-acts .rest {
      display: none;
    }
    .entry .entry-acts .dots {
      display: inline-flex;
    }
  }
  @container (inline-size < 24em) {
    .entry,
    .own > div > div > .acts {
      --v-lines: 4;
    }
  }
  @container (inline-size < 30em) {
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
