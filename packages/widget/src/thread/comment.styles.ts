/** Look of a comment within the thread. Text is as large as the page's; other sizes are relative to it. */

import { css } from 'lit';

export const commentStyles = css`
  .avatar {
    display: grid;
    place-items: center;
    place-self: start stretch;
    aspect-ratio: 1;
    overflow: clip;
    border: 1px solid transparent;
    border-radius: 50%;
    background: oklch(60% 0.14 var(--hue) / 24%);
    font-size: 0.875em;
    font-weight: 600;
    line-height: 1;
  }
  /* The margin is for the focus rings of the name and the time. */
  .text {
    contain: content;
    overflow-clip-margin: 4px;
    overflow-wrap: anywhere;
  }
  .byline,
  .by {
    display: flex;
    align-items: baseline;
  }
  .byline {
    flex-wrap: wrap;
    column-gap: 0.75em;
  }
  .by {
    flex-wrap: wrap;
    column-gap: 0.375em;
    min-inline-size: 0;
  }
  .cut,
  .author bdi {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  /* A long name is cut at its own end, not at that of the page's direction. */
  .author bdi {
    display: block;
  }
  /* Focus and links scroll to it. */
  .author {
    scroll-margin-block-start: calc(8px + var(--vestibule-sticky-top, 0px));
    font-size: 0.9375em;
    font-weight: 600;
  }
  .badge {
    flex: none;
    max-inline-size: 100%;
    padding: 0.27em 0.54em;
    border-radius: 0.45em;
    background: color-mix(in srgb, var(--v-accent) 14%, transparent);
    font-size: 0.6875em;
    font-weight: 600;
    line-height: 1;
  }
  .pick {
    white-space: nowrap;
    border: 1px solid currentColor;
    background: none;
  }
  .time,
  .reply-to,
  .tag,
  .quiet {
    color: var(--v-muted);
    font-size: 0.875em;
  }
  .message {
    margin: 2px 0 4px;
    overflow: clip;
    white-space: pre-wrap;
    /* The direction of each line is its own. */
    unicode-bidi: plaintext;
  }
  /* The browser scrolls it to what it finds: it opens then. */
  .message.clamped {
    max-block-size: 12lh;
    overflow: hidden;
  }
  .message.long {
    mask: linear-gradient(#000 calc(100% - 34px - 2lh), transparent calc(100% - 34px));
  }
  /* Over the end that is not seen: it comes a frame later, and moves nothing. */
  .whole.whole[aria-expanded='false'] {
    position: relative;
    display: flex;
    inline-size: fit-content;
    margin-block: calc(-44px - 4px) 4px;
  }
  .message a,
  .reply-to a {
    color: inherit;
    text-underline-offset: 0.15em;
  }
  a:not(.message a, :hover) {
    text-decoration: none;
  }
  .quiet:hover,
  .whole {
    text-decoration: underline;
  }
  .reply-to .cut {
    display: inline-block;
    max-inline-size: 100%;
    vertical-align: bottom;
  }
  .author:focus-visible,
  .text a:focus-visible {
    outline: 2px solid var(--v-accent);
    outline-offset: 2px;
    box-shadow: none;
  }
  /* Inside the block that contains the text. */
  .message a:focus-visible {
    outline-offset: -2px;
  }
  .acts {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    min-block-size: var(--v-tap);
    margin-inline-start: calc(-1 * var(--v-pad));
    color: var(--v-muted);
  }
  .removed .author {
    color: var(--v-muted);
    font-weight: 400;
  }
  [aria-pressed='true'] {
    font-weight: 600;
  }
  /* A press moves nothing: both hearts are as wide, and a digit has its place. */
  .like::before,
  .likes::before {
    content: '♥\\FE0E' / '';
    inline-size: 1em;
    margin-inline-end: 0.2em;
  }
  .like[aria-pressed='false']::before {
    content: '♡' / '';
  }
  .number {
    min-inline-size: 1ch;
    margin-inline-start: 0.2em;
  }
  .likes {
    display: inline-flex;
    padding-inline: var(--v-pad);
  }
  .gone {
    grid-template-columns: minmax(0, 1fr);
    .avatar,
    .byline > .time {
      display: none;
    }
    .author {
      font-size: 0.875em;
    }
  }
  /* The target is larger than the words, and reaches into the space around them. */
  .whole {
    display: inline-flex;
    align-items: center;
    min-inline-size: 44px;
    min-block-size: 44px;
    margin-block: -8px -11px;
    margin-inline-start: -8px;
    padding: 0 8px;
    border: 0;
  }
  /* The heart alone, in place of the longest word of the row. */
  @container (inline-size < 21em) {
    .like > :first-child {
      position: absolute;
      clip-path: inset(50%);
    }
  }
`;
