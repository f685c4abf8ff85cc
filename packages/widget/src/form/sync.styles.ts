/** Styles of the validation form: a card on a page and in a window, without its surface in the comment box. */

import { css } from 'lit';

export const styles = css`
  :host {
    max-inline-size: 32em;
    margin-inline: auto;
    overflow-wrap: anywhere;
  }
  /* English is not seen while the reader's language loads, for a second at most: it would flash, and move what follows. */
  section:not([dir]) {
    animation: unseen 1s;
  }
  @keyframes unseen {
    from,
    to {
      opacity: 0;
    }
  }
  .card {
    padding: clamp(1em, 5vi, 1.75em);
    border: 1px solid var(--v-line);
    border-radius: calc(var(--v-radius) * 1.5);
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
  }
  .quiet,
  .help,
  .optional {
    font-size: 0.875em;
    font-weight: 400;
    color: var(--v-muted);
  }

  .optional {
    display: inline-block;
  }

  .account,
  .loading,
  .tick {
    display: flex;
    align-items: center;
    gap: 0.75em;
    min-block-size: 44px;
  }
  /* In a comment box, the place of the form that is about to come: what follows moves once. */
  .inline > .loading {
    align-items: start;
    min-block-size: 24em;
  }
  .account {
    margin-block: 1em;
    padding: 0.5em 0.75em;
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
    background: color-mix(in srgb, var(--v-accent) 18%, transparent);
    font-weight: 600;
    line-height: 1;
  }
  .name {
    display: -webkit-inline-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    overflow: clip;
    font-weight: 600;
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
    margin-block-end: 1em;
  }
  .question > label:not(.tick) {
    display: block;
    margin-block-end: 0.375em;
    font-weight: 600;
  }
  .help {
    margin-block: -0.125em 0.375em;
  }
  .field,
  .tick > input,
  .note {
    scroll-margin-block: 6em;
  }
  option {
    color: CanvasText;
    background: Canvas;
  }
  .tick > input {
    flex: none;
    inline-size: 1.375em;
    block-size: 1.375em;
    margin: 0;
    accent-color: var(--v-accent);
  }
  .tick ~ * {
    margin: 0;
    margin-inline-start: 2.125em;
  }
  .error {
    margin-block-start: 0.375em;
    font-size: 0.9375em;
    color: var(--v-danger);
  }
  .field[aria-invalid='true'] {
    border-color: var(--v-danger);
  }
  /* Covers the border that the browser draws. The focus ring takes its place. */
  [aria-invalid='true']:not(:focus-visible) {
    outline: 2px solid var(--v-danger);
    outline-offset: -2px;
  }

  .note {
    margin-block: 1.25em;
    padding: 0.75em;
    border: 1px solid var(--v-line);
    border-radius: var(--v-radius);
  }
  .danger {
    border-color: var(--v-danger);
    background: color-mix(in srgb, var(--v-danger) 6%, transparent);
  }
  fieldset > .note {
    margin: 0;
  }
  .note ul {
    padding-inline-start: 1.25em;
  }

  .actions,
  .end {
    display: grid;
    gap: 0.625em;
  }
  .actions {
    margin-block-start: 1.25em;
  }
  button,
  a {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 0.625em;
    min-block-size: 44px;
    padding: 0.5em 0.875em;
    border: 1px solid var(--v-line);
    border-radius: var(--v-radius);
    color: inherit;
    text-decoration: none;
    cursor: pointer;
  }
  [part='button']:hover {
    background: var(--v-tint);
  }
  .primary:hover {
    filter: brightness(1.08);
  }
  /* Less colour, the same contrast. */
  button[aria-disabled='true'] {
    cursor: progress;
    filter: saturate(0.4);
  }
  .link {
    justify-content: start;
    padding: 0;
    border: 0;
    text-align: start;
    text-decoration: underline;
  }
  /* In a low window, the questions scroll under the button that ends them. */
  @media (max-height: 720px) {
    .card form .actions {
      display: contents;
    }
    .card form .actions > button {
      inline-size: 100%;
    }
    .card form .end {
      margin-block-start: 0.5em;
      padding-block: 0.75em 0.625em;
    }
  }
  /* In a lower one, also that of a zoomed page, the button would cover what the reader has come to. */
  @media (400px < height <= 720px) {
    .card form .end {
      position: sticky;
      inset-block-end: 0;
      background: linear-gradient(transparent, var(--v-surface) 0.75em);
    }
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
  .done {
    stroke: var(--v-accent);
  }
  .refused {
    stroke: var(--v-danger);
  }
  .spinner {
    flex: none;
    inline-size: 1.125em;
    block-size: 1.125em;
    border: 2px solid;
    border-block-start-color: transparent;
    border-radius: 50%;
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
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: clip;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
