/** Look of the thread. Text is as large as the page's; other sizes are relative to it. */

import { css } from 'lit';

export const styles = css`
  .thread {
    display: flow-root;
    overflow: clip;
    overflow-clip-margin: 16px;
    line-height: 1.55;
  }
  .bar {
    display: flex;
    justify-content: end;
  }
  /* In the row of the box's heading, which leaves room for it. */
  @container (inline-size >= 21em) {
    .bar {
      position: absolute;
      inset-block-start: 0;
      inset-inline-end: 0;
      padding: var(--v-padding);
    }
  }
  /* Without a height of its own: the notice moves nothing, and follows the reader through the thread. */
  .news {
    position: sticky;
    z-index: 1;
    inset-block-start: calc(8px + var(--vestibule-sticky-top, 0px));
    display: flex;
    block-size: 0;
  }
  /* Legible on whatever it lies. */
  .new,
  .skip {
    flex: none;
    block-size: var(--v-tap, 36px);
    min-block-size: 0;
    border-color: transparent;
    border-radius: 99px;
    background: var(--v-accent);
    color: var(--v-on-accent);
    font-size: 0.875em;
    font-weight: 600;
  }
  .new:not(:focus-visible) {
    box-shadow: 0 2px 8px rgb(0 0 0 / 24%);
  }
  @container (inline-size >= 30em) {
    .news {
      justify-content: center;
    }
    .new {
      margin-block-start: 4px;
    }
  }
  ol {
    /* Room for the notice of new comments. */
    margin: 2.25em 0 0;
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
  }
  /* Find in page opens it. */
  li[hidden] {
    margin: 0;
    padding: 0;
  }
  li + li:not([hidden]),
  .wide {
    margin-block-start: 1.375em;
  }
  /* What is far from the viewport is not laid out, except where the browser does not keep what is read in its place (Safari).
     The padding is for targets and focus rings that reach out of the last line, because nothing paints outside such an item. */
  .thread > ol > li {
    padding-block: 8px 12px;
  }
  .thread > ol > li + li,
  .thread > ol + ol {
    margin-block-start: calc(1.375em - 20px);
  }
  @supports (overflow-anchor: auto) {
    @media screen {
      /* A comment that the reader has just posted, and that of a link, have their size in their first frame. */
      .thread > ol > li:not(.own, .marked, :has(.marked)) {
        contain-intrinsic-block-size: auto 8em;
        content-visibility: auto;
        overflow-clip-margin: 8px;
      }
    }
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
  .missing,
  .reply-to,
  .tag,
  .quiet,
  .status,
  select {
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
  .more,
  .whole {
    text-decoration: underline;
  }
  .reply-to .cut {
    display: inline-block;
    max-inline-size: 100%;
    vertical-align: bottom;
  }
  /* Over the replies, while it has the focus. */
  .skip {
    position: absolute;
    z-index: 1;
    min-block-size: 44px;
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
  button,
  select {
    cursor: pointer;
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
  /* The targets are larger than the words, and reach into the space around them. */
  :is(.more, .whole) {
    display: inline-flex;
    align-items: center;
    min-inline-size: 44px;
    min-block-size: 44px;
    margin-block: -8px -11px;
    margin-inline-start: -8px;
    padding: 0 8px;
    border: 0;
  }
  select {
    min-block-size: var(--v-tap, 36px);
    max-inline-size: 11em;
    border: 0;
    background: none;
    font-family: inherit;
    option {
      color: CanvasText;
      background: Canvas;
    }
  }
  .composer,
  .status p,
  .missing {
    margin-block: 1em;
  }
  /* The ring of the focus has room within the comment, which clips. */
  .composer {
    margin-inline-end: 3px;
  }
  .note,
  .skip:not(:focus) {
    position: absolute;
    clip-path: inset(50%);
  }
  .wide {
    inline-size: 100%;
    &:hover {
      background: var(--v-tint);
    }
  }
  /* Less colour, the same contrast. */
  [aria-disabled='true'] {
    cursor: progress;
    filter: saturate(0.4);
  }
  @media (pointer: coarse) {
    select {
      font-size: max(0.875em, 16px);
    }
  }
  /* The picture stands in the line of the name: text and row have the whole width. */
  @container (inline-size < 30em) {
    li,
    li li {
      position: relative;
      grid-template-columns: minmax(0, 1fr);
    }
    li .avatar,
    li li .avatar {
      position: absolute;
      inset-block-start: 0;
      inset-inline-start: 0;
      inline-size: 28px;
      font-size: 0.75em;
    }
    .thread > ol > li > .avatar {
      inset-block-start: 8px;
    }
    .new,
    select {
      min-block-size: 44px;
    }
    li.marked > .avatar.avatar {
      inset-inline-start: 12px;
    }
    li:not(.gone) .byline {
      align-items: center;
      min-block-size: 28px;
      padding-inline-start: 36px;
    }
    .acts .dots {
      margin-inline-start: auto;
    }
    ol ol {
      border-inline-start: 2px solid color-mix(in srgb, currentColor 22%, transparent);
      padding-inline-start: 12px;
    }
  }
  /* The heart alone, in place of the longest word of the row. */
  @container (inline-size < 21em) {
    .like > :first-child {
      position: absolute;
      clip-path: inset(50%);
    }
  }
  @media print {
    .bar, .news, .composer, .status, .wide, .acts, .editor, .question, .quiet.quiet.quiet, .missing, .skip {
      display: none;
    }
    .thread {
      color: #000;
      overflow: visible;
    }
    .thread * {
      color: inherit;
    }
    .message.clamped {
      max-block-size: none;
      overflow: visible;
      mask: none;
    }
    li[hidden] {
      display: grid;
      content-visibility: visible;
      margin-block-start: 1.375em;
    }
  }
`;
