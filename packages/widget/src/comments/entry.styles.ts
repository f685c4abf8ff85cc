/** Styles of the entries of the outbox, in the box and in its thread. */

import { css } from 'lit';
import { editorStyles } from './editor-view.ts';

export const entryStyles = css`
  ${editorStyles}
  .entry {
    display: flex;
    align-items: center;
    gap: 0 0.75em;
    min-block-size: max(44px, var(--v-tap), 2lh);
    color: var(--v-muted);
  }
  /* A wider ring would cover the text. */
  .say:focus-visible {
    outline: 2px solid var(--v-accent);
    box-shadow: none;
  }
  .say {
    min-inline-size: 0;
    overflow-wrap: anywhere;
    text-wrap: balance;
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
  /* The picture, not its text. */
  .dim .avatar {
    background: oklch(60% 0.14 var(--hue) / 8%);
  }
  .entries {
    margin: 1.25em 0 0;
    padding: 0;
    list-style: none;
  }
  /* The page may have no room beside the box. */
  .entries .entry-acts {
    margin-inline-end: 0;
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
  @container (inline-size < 30em) {
    .entry {
      flex-wrap: wrap;
      min-block-size: max(56px, 3lh);
    }
    .say {
      flex: 1 1 9em;
    }
    /* For readers who space their texts. */
    .entry-acts {
      flex: 0 1 auto;
      flex-wrap: wrap;
    }
    /* A long label wraps before it goes below the sentence. */
    .entry .entry-acts .go {
      flex: 0 1 auto;
      white-space: normal;
    }
    .entries > li {
      grid-template-columns: minmax(0, 1fr);
    }
    .entries .avatar {
      display: none;
    }
  }
  @container (21em <= inline-size < 30em) {
    .entry-acts {
      flex-wrap: nowrap;
      max-inline-size: calc(100% - 9.75em);
    }
  }
  @media print {
    .entry {
      display: none;
    }
  }
`;
