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
  li + li,
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
  .missing,
  .status,
  select {
    color: var(--v-muted);
    font-size: 0.875em;
  }
  /* Over the replies, while it has the focus. */
  .skip {
    position: absolute;
    z-index: 1;
    min-block-size: 44px;
  }
  button,
  select {
    cursor: pointer;
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
  .empty.empty {
    margin-block: 3.5em;
    text-align: center;
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
  /* The order stands above the comments, and nothing between. */
  @container (inline-size < 21em) {
    .bar ~ ol {
      margin-block-start: 0.25em;
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
  }
`;
