/** Look of the thread. Text is as large as the page's; other sizes are relative to it. */

import { css } from 'lit';

export const styles = css`
  .thread {
    display: flow-root;
    overflow-x: clip;
    overflow-clip-margin: 16px;
    line-height: 1.55;
  }
  .bar {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto minmax(max-content, 1fr);
    align-items: center;
    min-block-size: 44px;
    margin-block: 12px -8px;
  }
  ol {
    margin: 1.625em 0 0;
    padding: 0;
    list-style: none;
    ol {
      margin-block-start: 1em;
    }
  }
  li {
    display: grid;
    grid-template-columns: 2.5em minmax(0, 1fr);
    column-gap: 0.75em;
    margin-block-end: 1.375em;
  }
  li li {
    grid-template-columns: 1.875em minmax(0, 1fr);
  }
  .marked {
    border-inline-start: 3px solid var(--v-accent);
    padding-inline-start: 12px;
    margin-inline-start: -15px;
  }
  .avatar {
    display: grid;
    place-items: center;
    inline-size: 2.857em;
    block-size: 2.857em;
    overflow: clip;
    border: 1px solid transparent;
    border-radius: 50%;
    background: oklch(60% 0.14 var(--hue) / 24%);
    font-size: 0.875em;
    font-weight: 600;
    line-height: 1;
  }
  li li .avatar {
    inline-size: 2.5em;
    block-size: 2.5em;
    font-size: 0.75em;
  }
  .text {
    contain: content;
    overflow-wrap: anywhere;
  }
  .byline {
    display: flex;
    flex-wrap: wrap;
    column-gap: 0.75em;
    align-items: baseline;
    font-size: 0.9375em;
  }
  .author {
    display: inline;
    font-weight: 600;
  }
  .badge {
    margin-inline-start: 6px;
    padding: 3px 6px;
    border-radius: 5px;
    background: color-mix(in srgb, var(--v-accent) 14%, transparent);
    font-size: 0.733em;
    font-weight: 600;
    line-height: 1;
  }
  .time,
  .reply-to,
  .tag,
  .quiet,
  .status {
    color: var(--v-muted);
    font-size: 0.875em;
  }
  .time {
    font-size: 0.933em;
  }
  .tag {
    margin-block-start: 6px;
    font-size: 0.8125em;
  }
  .message {
    margin: 2px 0 4px;
    overflow: clip;
    white-space: pre-wrap;
    /* The direction of each line is its own. */
    unicode-bidi: plaintext;
  }
  :is(.pending, .unlisted) > .avatar,
  .pending .message {
    opacity: 0.85;
  }
  .message a,
  .reply-to a {
    color: inherit;
    text-underline-offset: 0.15em;
  }
  .time,
  .reply-to a,
  .quiet {
    text-decoration: none;
  }
  :is(.time[href], .reply-to a, .quiet):hover {
    text-decoration: underline;
  }
  /* Inside the block that contains the text. */
  .author:focus-visible,
  .text a:focus-visible {
    outline-offset: -2px;
    box-shadow: none;
  }
  button,
  select {
    cursor: pointer;
  }
  /* The targets are larger than the words, and reach into the space around them. */
  .acts:not([hidden]) {
    display: flex;
    flex-wrap: wrap;
    margin-inline-start: -7px;
  }
  .quiet:not([hidden]) {
    display: inline-flex;
    align-items: center;
    min-inline-size: 44px;
    min-block-size: 44px;
    margin-block: -8px -11px;
    padding: 0 7px;
    border: 0;
  }
  .whole {
    margin-inline-start: -7px;
    text-decoration: underline;
  }
  .new {
    grid-column: 2;
    position: relative;
    border: 0;
    font-size: 0.875em;
    &::before {
      content: '';
      position: absolute;
      inset: 4px 0;
      border: 1px solid var(--v-line);
      border-radius: 99px;
    }
  }
  select {
    grid-column: 3;
    justify-self: end;
    min-block-size: 44px;
    border: 0;
    background: none;
    color: var(--v-muted);
    font: inherit;
    font-size: 0.875em;
    option {
      color: CanvasText;
      background: Canvas;
    }
  }
  .composer,
  .status p {
    margin-block: 1em;
  }
  .note {
    position: absolute;
    clip-path: inset(50%);
  }
  .wide {
    inline-size: 100%;
    &:hover {
      background: var(--v-tint);
    }
  }
  [aria-disabled='true'] {
    cursor: progress;
    opacity: 0.75;
  }
  @media (pointer: coarse) {
    select {
      font-size: max(0.875em, 16px);
    }
  }
  @media print {
    .bar, .composer, .status, .wide, .quiet.quiet {
      display: none;
    }
  }
`;
