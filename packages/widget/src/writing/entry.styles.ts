/** Styles of the entries of the outbox, in the box and in its thread. */

import { css } from 'lit';
import { editorStyles } from './editor-view.ts';

export const entryStyles = css`
  ${editorStyles}
  /* A sentence that is long stands alone, its buttons below. */
  .entry {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    column-gap: 0.75em;
    min-block-size: max(44px, var(--v-tap));
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
    text-wrap: pretty;
  }
  .entry-acts {
    display: flex;
    flex-wrap: wrap;
    margin-inline-start: calc(-1 * var(--v-pad));
  }
  /* Large enough without. */
  .entry .quiet::after {
    content: none;
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
  .entries > li {
    display: grid;
    grid-template-columns: 2.5em minmax(0, 1fr);
    column-gap: 12px;
    margin-block-end: 1em;
    overflow-wrap: anywhere;
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
