/** Styles of the second stage of the comment box. */

import { css } from 'lit';
import { referenceStyles } from '../lib/reference-view.ts';

export const styles = css`
  ${referenceStyles}
  button {
    cursor: pointer;
  }
  textarea {
    resize: vertical;
  }
  .who {
    padding-block: 0.25em;
    overflow-wrap: anywhere;
  }
  .hint,
  #status,
  .counter,
  .posts-heading,
  time {
    color: var(--v-muted);
  }
  .name {
    font-weight: 600;
  }
  .link {
    min-inline-size: 44px;
    padding: 0 0.125em;
    border: 0;
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }
  .row > .link {
    font-size: 0.875em;
  }
  .primary:hover {
    filter: brightness(1.08);
  }
  .panel button:not(.primary):hover {
    background: var(--v-tint);
  }
  [aria-disabled='true'] {
    cursor: progress;
    opacity: 0.75;
  }
  #status:not(:empty) {
    flex-basis: 16em;
  }
  #status {
    font-size: 0.875em;
    overflow-wrap: anywhere;
  }
  .counter {
    flex: 1 0 auto;
    text-align: end;
    font-size: 0.875em;
    font-variant-numeric: tabular-nums;
  }
  .over {
    color: var(--v-danger);
    font-weight: 600;
  }
  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: clip;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  textarea[aria-invalid='true'] {
    border-color: var(--v-danger);
  }
  /* The focus ring has a shadow, too. */
  textarea[aria-invalid='true']:not(:focus-visible) {
    box-shadow: inset 0 0 0 1px var(--v-danger);
  }
  @media (forced-colors: active) {
    textarea[aria-invalid='true'] {
      border-width: 3px;
    }
  }
  .discard {
    margin-inline-start: auto;
    color: var(--v-muted);
  }
  .button {
    display: inline-flex;
    align-items: center;
    max-inline-size: 100%;
    min-block-size: 44px;
    padding-block: 0.5em;
    border: 1px solid transparent;
    border-radius: var(--v-radius);
    text-decoration: none;
  }
  .other {
    display: block;
    max-block-size: 8em;
    overflow: auto;
    white-space: pre-wrap;
  }
  textarea:read-only {
    opacity: 0.7;
  }
  #alert:not(:empty) {
    margin-block-start: var(--v-space);
    padding: 0.625em 0.875em;
    border: 1px solid var(--v-danger);
    border-inline-start-width: 0.25em;
    border-radius: var(--v-radius);
    overflow-wrap: anywhere;
  }
  .row:has(> .primary[hidden]) {
    min-block-size: 0;
  }
  .panel {
    margin-block-start: var(--v-space);
    padding: 1em;
    border: 1px solid var(--v-line);
    border-radius: var(--v-radius);
  }
  .panel .row {
    gap: 0.5em;
  }
  .panel .row > * {
    overflow-wrap: anywhere;
  }
  vestibule-sync {
    max-inline-size: none;
  }
  p {
    margin: 0;
  }
  .panel > p {
    margin-block-end: 0.75em;
    overflow-wrap: anywhere;
  }
  .posts {
    margin-block-start: 1.75em;
    padding-block-start: 1.25em;
    border-block-start: 1px solid color-mix(in srgb, currentColor 18%, transparent);
  }
  .posts-heading {
    font-size: 0.875em;
    font-weight: 600;
  }
  article {
    margin-block-start: 1em;
    overflow-wrap: anywhere;
  }
  .byline {
    font-size: 0.875em;
  }
  time {
    margin-inline-start: 0.375em;
  }
  .message {
    white-space: pre-wrap;
  }
  @media (prefers-reduced-motion: no-preference) {
    article {
      animation: arrive 0.4s ease-out;
    }
    @keyframes arrive {
      from {
        opacity: 0;
        translate: 0 -0.5em;
      }
    }
  }
`;
