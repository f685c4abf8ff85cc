/** Look of the thread. */

import { css } from 'lit';

export const styles = css`
  button {
    cursor: pointer;
  }
  .thread {
    margin-block-start: 2em;
    padding-block-start: 1.25em;
    border-block-start: 1px solid color-mix(in srgb, currentColor 18%, transparent);
    line-height: 1.5;
  }
  #heading {
    font: var(--vestibule-heading-font, inherit);
    font-size: 1.125em;
    font-weight: 600;
    line-height: 1.25;
  }
  ol,
  p {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    contain: content;
    display: grid;
    grid-template-columns: 2.5em minmax(0, 1fr);
    column-gap: 0.75em;
    padding-block: 1em;
    border-block-end: 1px solid color-mix(in srgb, currentColor 12%, transparent);
    overflow-wrap: anywhere;
    scroll-margin-block: 1em;
  }
  li:last-child {
    border-block-end: 0;
  }
  .author:focus-visible {
    outline-offset: -2px;
    box-shadow: none;
  }
  li > * {
    grid-column: 2;
  }
  .initials {
    grid-column: 1;
    grid-row: 1 / span 3;
    display: grid;
    place-items: center;
    inline-size: 2.5em;
    block-size: 2.5em;
    overflow: clip;
    border: 1px solid transparent;
    border-radius: 50%;
    background: color-mix(in srgb, var(--tint) 22%, transparent);
    font-weight: 600;
  }
  .initials:not(:empty) {
    font-size: 0.9375em;
  }
  .tint-0 { --tint: #3b76d8; }
  .tint-1 { --tint: #2f9e6e; }
  .tint-2 { --tint: #c08a1e; }
  .tint-3 { --tint: #d0524a; }
  .tint-4 { --tint: #8e5bd0; }
  .tint-5 { --tint: #2a97a8; }
  .byline {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.625em;
    align-items: baseline;
    font-size: 0.875em;
    overflow: clip;
  }
  .author {
    min-inline-size: 0;
    font-weight: 600;
  }
  .author bdi {
    unicode-bidi: isolate;
  }
  time,
  .status {
    color: var(--v-muted);
  }
  .mark {
    padding-inline: 0.5em;
    border: 1px solid var(--v-line);
    border-radius: 1em;
    font-size: 0.875em;
  }
  .message {
    overflow: clip;
    white-space: pre-wrap;
    /* The direction of each line is its own. */
    unicode-bidi: plaintext;
  }
  a {
    color: inherit;
    text-underline-offset: 0.15em;
  }
  .more {
    justify-self: start;
    padding-inline: 0;
    border: 0;
    text-decoration: underline;
    text-underline-offset: 0.2em;
    font-size: 0.875em;
  }
  .status:not(:empty) {
    padding-block: 1em;
    font-size: 0.875em;
  }
  .wide {
    inline-size: 100%;
    margin-block-start: 0.5em;
  }
  .wide:hover {
    background: var(--v-tint);
  }
  [aria-disabled='true'] {
    cursor: progress;
    opacity: 0.75;
  }
`;
