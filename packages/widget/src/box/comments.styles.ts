/** Styles of what the state of the comment box shows. */

import { css } from 'lit';
import { referenceStyles } from '../lib/reference-view.ts';
import { rowStyles } from '../lib/row-menu.ts';

export const styles = css`
  ${referenceStyles}
  ${rowStyles}
  button {
    cursor: pointer;
  }
  #status {
    flex: 1 1 0;
    padding-inline: 10px;
    overflow-wrap: anywhere;
    text-wrap: balance;
  }
  #status:empty {
    flex: none;
    padding: 0;
  }
  /* The account stands first. */
  .line > .account {
    order: -1;
    display: flex;
    flex: 0 1 auto;
    gap: 6px;
    min-inline-size: 0;
    max-inline-size: min(16em, 60cqi);
    color: var(--vestibule-color, inherit);
    font-weight: 600;
  }
  .line > .account:hover {
    text-decoration: none;
  }
  .account::after {
    content: '▾' / '';
  }
  #writer {
    position: relative;
    min-inline-size: 0;
  }
  /* Cut at the end of the name, in its own direction. */
  .account .name {
    display: block;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  /* A long name is cut, so that the others stay beside it; others never are, also with text spacing (WCAG 1.4.12). */
  .frame:not(.rest:has(:placeholder-shown)) .line:has(#status:not(:empty)) > .account {
    max-inline-size: 60%;
  }
  .avatar {
    display: grid;
    flex: none;
    place-items: center;
    inline-size: 2.167em;
    block-size: 2.167em;
    overflow: clip;
    border-radius: 50%;
    background: oklch(60% 0.14 var(--hue) / 24%);
    font-size: 0.857em;
    font-weight: 600;
  }
  .success:not(:empty)::before {
    content: '✓ ' / '';
  }
  .success {
    color: var(--v-success);
  }
  .error {
    color: var(--v-danger);
    font-weight: 600;
  }
  /* A word, with the target of a button. Its ring stays inside. */
  .quiet {
    flex: none;
    display: inline-flex;
    align-items: center;
    min-block-size: var(--v-tap);
    min-inline-size: var(--v-tap);
    padding: 0 10px;
    border: 0;
    color: var(--v-muted);
    text-align: start;
  }
  .quiet:hover {
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }
  .quiet:focus-visible {
    outline: 2px solid var(--v-accent);
    outline-offset: -5px;
    box-shadow: none;
  }
  .danger {
    color: var(--v-danger);
  }
  .primary:hover {
    filter: brightness(1.08);
  }
  .secondary.danger {
    color: var(--v-danger);
  }
  .secondary:hover {
    background: var(--v-tint);
  }
  /* Less colour, the same contrast. */
  [aria-disabled='true'] {
    cursor: progress;
    filter: saturate(0.4);
  }
  .counter > b {
    font-weight: inherit;
  }
  .counter {
    flex: none;
    margin-inline-start: auto;
    padding-inline: 10px;
    font-variant-numeric: tabular-nums;
  }
  .frame:has([aria-invalid='true']) {
    border-color: var(--v-danger);
    outline-color: var(--v-danger);
  }
  textarea:read-only {
    opacity: 0.7;
  }
  #alert,
  .panel {
    margin-block-start: var(--v-space);
    padding: 10px 14px;
    border: 1px solid var(--v-line);
    border-radius: var(--v-radius);
    font-size: 0.9375em;
    overflow-wrap: anywhere;
  }
  #alert {
    border-color: var(--v-danger);
    background: color-mix(in srgb, var(--v-danger) 6%, transparent);
  }
  /* It has the focus on the way to its button. */
  .panel[role='group']:focus {
    outline: none;
  }
  .panel:not(:has(p, vestibule-sync)) {
    padding: 0;
    border: 0;
  }
  p {
    margin: 0;
  }
  .panel > p {
    margin-block-end: 0.75em;
  }
  /* In place of the row. */
  .frame > .panel {
    margin: 6px -6px -6px;
    padding: 12px 16px 16px;
    border-width: 1px 0 0;
    border-radius: 0;
  }
  .frame > .panel > p {
    font-weight: 600;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5em;
  }
  a.primary {
    display: inline-flex;
    align-items: center;
    text-decoration: none;
  }
  vestibule-sync {
    max-inline-size: none;
  }
  /* The place of the form, until its script is there; \`sync.styles.ts\` holds it from then on. */
  vestibule-sync:not(:defined) {
    display: block;
    min-block-size: 24em;
  }
  .byline {
    font-size: 0.9375em;
    font-weight: 600;
  }
  time,
  .tag {
    color: var(--v-muted);
    font-size: 0.9333em;
    font-weight: 400;
  }
  .message {
    white-space: pre-wrap;
  }
  /* Beside the count of a text that is too long, the status has a line of its own. */
  @container (inline-size >= 30em) {
    .frame:not(.rest:has(:placeholder-shown)) .line:has(#status:not(:empty)):has(> .counter) {
      flex-wrap: wrap;
      > #status {
        flex-basis: 16em;
      }
    }
  }
  @container (inline-size < 30em) {
    #status:not(:empty) {
      padding-inline: 4px;
    }
    .line > .account {
      padding-inline: 6px;
    }
    /* Its beginning, where a button or the count stands there, too. */
    .frame:not(.rest:has(:placeholder-shown)) .line:has(#status:not(:empty)):has(> .quiet:not(.account), > .counter) {
      > .account {
        max-inline-size: 8.5em;
      }
      > .quiet:not(.account) {
        inline-size: min-content;
        word-break: keep-all;
      }
    }
    /* The number alone. Its words are still read. */
    .line:has(#status:not(:empty)) > .counter:has(b) {
      position: relative;
      padding-inline: 4px;
      > span {
        position: absolute;
        inline-size: 1px;
        block-size: 1px;
        overflow: clip;
        clip-path: inset(50%);
      }
      &.error > b::before {
        content: '−' / '';
      }
    }
  }
  /* The status is below the account. */
  @container (inline-size < 21em) {
    #status:not(:empty) {
      flex: 1 0 100%;
    }
    .line:has(> .account) > :is(.quiet, .counter) {
      order: -1;
    }
    .frame:not(.rest:has(:placeholder-shown)) .line:has(#status:not(:empty)) > .account {
      max-inline-size: 100%;
    }
  }
  @media (forced-colors: active) {
    .frame:has([aria-invalid='true']) {
      border-width: 3px;
    }
    .frame:focus-within {
      outline: 2px solid Highlight;
    }
  }
`;
