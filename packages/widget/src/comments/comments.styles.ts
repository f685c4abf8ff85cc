/** Styles of the second stage of the comment box. */

import { css } from 'lit';
import { referenceStyles } from '../lib/reference-view.ts';
import { rowStyles } from '../lib/row-menu.ts';

export const styles = css`
  ${referenceStyles}
  ${rowStyles}
  button {
    cursor: pointer;
  }
  .line > :not(:empty) ~ *::before {
    content: '· ' / '';
  }
  #status,
  #silent {
    overflow-wrap: anywhere;
  }
  #status:empty {
    margin-inline-end: -0.4em;
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
  .line .name {
    position: relative;
    max-inline-size: 100%;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .name {
    color: var(--vestibule-color, inherit);
    font-weight: 600;
  }
  .quiet {
    position: relative;
    min-block-size: 0;
    padding: 0;
    border: 0;
    color: var(--v-muted);
    text-align: start;
    text-decoration: underline transparent;
    text-underline-offset: 0.2em;
  }
  .quiet:hover,
  .quiet:focus-visible {
    text-decoration-color: currentColor;
  }
  /* The target is larger than what is seen. */
  .quiet::after {
    content: '';
    position: absolute;
    inset: -3px -2px;
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
  [aria-disabled='true'] {
    cursor: progress;
    opacity: 0.75;
  }
  .counter {
    font-variant-numeric: tabular-nums;
    text-align: end;
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
  .other {
    display: block;
    max-block-size: 8em;
    overflow: auto;
    white-space: pre-wrap;
  }
  vestibule-sync {
    max-inline-size: none;
  }
  /* The place of the form, until its script is there; \`sync.styles.ts\` holds it from then on. */
  vestibule-sync:not(:defined) {
    display: block;
    min-block-size: 24em;
  }
  .posts {
    margin-block-start: 1.75em;
    padding-block-start: 1.25em;
    border-block-start: 1px solid color-mix(in srgb, currentColor 18%, transparent);
  }
  .posts-heading {
    font-size: 0.9375em;
    font-weight: 600;
  }
  article {
    margin-block-start: 1em;
    overflow-wrap: anywhere;
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
  @container (inline-size < 30em) {
    .bar {
      flex-wrap: wrap;
    }
    .counter {
      order: 1;
      flex: 1 0 100%;
      text-align: start;
    }
    .line {
      column-gap: 0.75em;
    }
    #status:not(:empty) {
      flex: 1 0 100%;
    }
    #status:empty {
      margin-inline-end: -0.75em;
    }
    .line > :not(:empty) ~ *::before {
      content: none;
    }
  }
  @container (inline-size >= 30em) {
    #alert:not(:empty),
    .panel {
      margin-inline-start: 52px;
    }
  }
  /* A long name is cut, so that the buttons stay beside it; others never are, also with text spacing (WCAG 1.4.12). */
  @container (inline-size >= 37.5em) {
    .line .name {
      max-inline-size: 14em;
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
