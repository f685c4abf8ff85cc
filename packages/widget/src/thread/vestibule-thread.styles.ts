/** Look of the thread. Text is as large as the page's; other sizes are relative to it. */

import { css } from 'lit';

export const styles = css`
  .thread {
    line-height: 1.55;
  }
  ol {
    margin: 1.625em 0 0;
    padding: 0;
    list-style: none;
  }
  ol ol {
    margin-block-start: 1em;
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
  li:last-child {
    margin-block-end: 0;
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
    background: color-mix(in srgb, var(--tint) 24%, transparent);
    font-size: 0.875em;
    font-weight: 600;
    line-height: 1;
  }
  li li .avatar {
    inline-size: 2.5em;
    block-size: 2.5em;
    font-size: 0.75em;
  }
  .tint-0 { --tint: #3b76d8; }
  .tint-1 { --tint: #2f9e6e; }
  .tint-2 { --tint: #c08a1e; }
  .tint-3 { --tint: #d0524a; }
  .tint-4 { --tint: #8e5bd0; }
  .tint-5 { --tint: #2a97a8; }
  .text {
    contain: content;
    overflow-wrap: anywhere;
  }
  .byline {
    display: flex;
    flex-wrap: wrap;
    column-gap: 0.5em;
    align-items: baseline;
    font-size: 0.9375em;
  }
  .author {
    min-inline-size: 0;
    font-weight: 600;
  }
  .author:focus-visible {
    outline-offset: -2px;
    box-shadow: none;
  }
  .badge {
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
  .time a,
  .reply-to a,
  a.quiet {
    color: inherit;
    text-decoration: none;
  }
  :is(.time a, .reply-to a, .quiet):hover {
    text-decoration: underline;
  }
  .text a:focus-visible {
    outline-offset: 0;
    box-shadow: none;
  }
  .tag {
    font-size: 0.8125em;
  }
  .message {
    margin: 2px 0 4px;
    overflow: clip;
    white-space: pre-wrap;
    /* The direction of each line is its own. */
    unicode-bidi: plaintext;
  }
  .message a {
    color: inherit;
    text-underline-offset: 0.15em;
  }
  :is(.pending, .unlisted) > .avatar,
  .pending .message {
    opacity: 0.85;
  }
  button,
  select {
    cursor: pointer;
  }
  /* The targets are larger than the words, and reach into the space around them. */
  .acts {
    display: flex;
    flex-wrap: wrap;
    margin-block: -8px -11px;
    margin-inline-start: -7px;
  }
  .quiet {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    min-inline-size: 44px;
    min-block-size: 44px;
    padding: 0 7px;
    border: 0;
  }
  .whole {
    margin-block: -8px;
    margin-inline-start: -7px;
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }
  .composer {
    margin-block: 12px 4px;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
    min-block-size: 44px;
    margin-block: 12px -18px;
  }
  .new {
    margin-inline: auto;
    padding-inline: 1em;
    border-radius: 99px;
    font-size: 0.875em;
  }
  select {
    min-block-size: 44px;
    margin-inline-start: auto;
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
  .status p {
    margin-block: 1em;
  }
  .note {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: clip;
    white-space: nowrap;
    clip-path: inset(50%);
  }
  .wide {
    inline-size: 100%;
    margin-block-start: 1em;
  }
  :is(.wide, .new):hover {
    background: var(--v-tint);
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
    .acts, .bar, .composer, .status, button {
      display: none;
    }
  }
`;
