/** Styles of the validation form: a card on a page, in a window, and in the comment box. */

import { css } from 'lit';

export const styles = css`
  button {
    cursor: pointer;
  }
  :host {
    max-inline-size: 32em;
    margin-inline: auto;
    overflow-wrap: anywhere;
  }
  .card {
    padding: clamp(1em, 5vi, 1.75em);
    border: 1px solid var(--v-line);
    border-radius: calc(var(--v-radius) * 1.5);
  }
  .inline {
    padding: 0;
  }
  p,
  ul {
    margin: 0;
  }

  .heading {
    font: var(--vestibule-heading-font, inherit);
    font-size: 1.375em;
    font-weight: 600;
    line-height: 1.25;
    text-wrap: balance;
  }
  .heading:focus {
    outline: none;
    box-shadow: none;
  }
  .about {
    margin-block-start: 0.375em;
    text-wrap: pretty;
  }
  .about + .quiet {
    margin-block-start: 0.375em;
  }
  .quiet,
  .help {
    font-size: 0.875em;
    color: var(--v-muted);
  }

  .account {
    display: flex;
    align-items: center;
    gap: 0.75em;
    margin-block: 1em;
    padding: 0.625em 0.75em;
    border: 1px solid transparent;
    border-radius: var(--v-radius);
    background: var(--v-tint);
  }
  .avatar {
    flex: none;
    display: grid;
    place-items: center;
    inline-size: 2.25em;
    block-size: 2.25em;
    border-radius: 50%;
    border: 1px solid transparent;
    background: var(--v-accent);
    color: var(--v-on-accent);
    font-weight: 600;
    line-height: 1;
  }
  .account-text {
    min-inline-size: 0;
  }
  .name {
    font-weight: 600;
    display: -webkit-inline-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    overflow: clip;
    vertical-align: bottom;
  }

  fieldset {
    display: grid;
    gap: 1.25em;
    margin: 0;
    padding: 0;
    border: 0;
    min-inline-size: 0;
  }
  legend {
    padding: 0;
    margin-block-end: 0.75em;
  }
  legend + .quiet {
    margin-block-end: -0.5em;
  }
  .question > label {
    display: block;
    margin-block-end: 0.375em;
    font-weight: 600;
  }
  .star {
    color: var(--v-danger);
  }
  .optional {
    font-weight: 400;
    font-size: 0.875em;
    color: var(--v-muted);
  }
  .help {
    margin-block: -0.125em 0.375em;
  }
  .field,
  .tick > input {
    scroll-margin-block: 6em;
  }
  select.field {
    max-inline-size: 100%;
    text-overflow: ellipsis;
  }
  option {
    color: CanvasText;
    background: Canvas;
  }
  .question > .tick {
    display: flex;
    align-items: center;
    gap: 0.75em;
    min-block-size: 44px;
    margin: 0;
    font-weight: 400;
    cursor: pointer;
  }
  .tick > input {
    flex: none;
    inline-size: 1.375em;
    block-size: 1.375em;
    margin: 0;
    accent-color: var(--v-accent);
  }
  .tick > input[aria-invalid='true']:not(:focus-visible) {
    outline: 2px solid var(--v-danger);
    outline-offset: 1px;
  }
  .tick ~ .help,
  .tick ~ .error {
    margin-inline-start: 2.125em;
  }
  .field[aria-invalid='true'] {
    border-color: var(--v-danger);
  }
  /* The focus ring has a shadow, too. */
  .field[aria-invalid='true']:not(:focus-visible) {
    box-shadow: inset 0 0 0 1px var(--v-danger);
  }
  .error {
    margin-block-start: 0.375em;
    font-size: 0.9375em;
    color: var(--v-danger);
  }

  .note {
    padding: 0.75em;
    border: 1px solid var(--v-line);
    border-inline-start: 0.25em solid var(--v-line);
    border-radius: var(--v-radius);
  }
  .note.danger {
    border-color: var(--v-danger);
  }
  .note ul {
    padding-inline-start: 1.25em;
  }
  form > .note,
  section > .note {
    margin-block: 1.25em;
  }

  .actions {
    display: grid;
    gap: 0.625em;
    margin-block-start: 1.25em;
  }
  button,
  .button {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 0.625em;
  }
  .button {
    min-block-size: 44px;
    padding: 0.5em 0.875em;
    border: 1px solid var(--v-line);
    border-radius: var(--v-radius);
    color: inherit;
    text-decoration: none;
  }
  button:not(.primary, .link):hover,
  .button:hover {
    background: var(--v-tint);
  }
  .primary:hover {
    filter: brightness(1.08);
  }
  button[aria-disabled='true'] {
    cursor: progress;
    opacity: 0.75;
  }
  .link {
    display: inline-flex;
    justify-content: start;
    min-block-size: 44px;
    padding: 0;
    border: 0;
    text-align: start;
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }

  .badge {
    display: block;
    inline-size: 3em;
    block-size: 3em;
    margin-block-end: 0.75em;
    fill: none;
    stroke: var(--v-muted);
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .badge.done {
    stroke: var(--v-accent);
  }
  .badge.refused {
    stroke: var(--v-danger);
  }
  @media (forced-colors: active) {
    .badge:is(.done, .info, .refused) {
      stroke: CanvasText;
    }
    .field[aria-invalid='true'] {
      border-width: 3px;
    }
  }

  .loading {
    display: flex;
    align-items: center;
    gap: 0.75em;
    min-block-size: 44px;
  }
  .spinner {
    flex: none;
    inline-size: 1.125em;
    block-size: 1.125em;
    border: 2px solid;
    border-block-start-color: transparent;
    border-radius: 50%;
    opacity: 0.8;
  }
  @media (forced-colors: active) {
    .spinner {
      border-block-start-color: Canvas;
    }
  }
  @media (prefers-reduced-motion: no-preference) {
    .spinner {
      animation: turn 0.9s linear infinite;
    }
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }

  .status {
    margin-block-start: 0.75em;
    font-size: 0.875em;
  }
  .status:not(.shown) {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: 0;
    overflow: clip;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
