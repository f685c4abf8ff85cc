/**
 * Styles of the comment box. At rest the field is one line with one button beside it. From the first focus on
 * it has three lines, and below it a row for the account, the status and the main button. The
 * main button comes before the row's other parts in the document, so that the keyboard goes from the text to it.
 */

import { css } from 'lit';

export const styles = css`
  /* The width in a parent that asks for one (dialog, flex, float): a container has none of its own. The least one is 0. */
  :host::before {
    content: '';
    display: grid;
    grid-template-columns: minmax(0, 40em);
  }
  /* No flexible box: it would drop the space between the words. */
  #heading {
    margin-block-end: 8px;
    min-block-size: var(--v-tap);
    align-content: center;
    font: var(--vestibule-heading-font, inherit);
    font-size: 1.375em;
    font-weight: 700;
    line-height: 1.25;
    overflow-wrap: anywhere;
  }
  /* Room for the order of the thread. */
  @container (inline-size >= 21em) {
    :host([show-posts]) #heading {
      padding-inline-end: 7em;
    }
  }
  [hidden] {
    display: none !important;
  }
  .count {
    margin-inline-start: 0.1em;
    font-size: 0.68em;
    font-weight: 400;
    color: var(--v-muted);
  }
  .frame {
    padding: 6px;
    border: 1px solid var(--v-line);
    border-radius: calc(var(--v-radius) * 1.25);
    background: var(--v-tint);
  }
  .frame:focus-within {
    border-color: var(--v-accent);
  }
  .frame:has(#text:focus-visible) {
    outline: 2px solid var(--v-accent);
  }
  #text {
    min-block-size: calc(3lh + 10px);
    max-block-size: 40dvh;
    padding: 5px 10px;
    border: 0;
    background: none;
    outline: 0;
    box-shadow: none;
    line-height: 1.55;
    resize: none;
    field-sizing: content;
  }
  /* An empty text has the direction of the box, not that of \`dir=auto\`. */
  section:dir(rtl) #text:placeholder-shown {
    direction: rtl;
  }
  ::placeholder {
    color: var(--v-muted);
    opacity: 1;
  }
  .bar {
    display: flex;
    flex-direction: row-reverse;
    gap: 0 6px;
    align-items: center;
    font-size: 0.875em;
    line-height: 1.25;
  }
  .line {
    display: flex;
    flex: 1;
    gap: 0 6px;
    align-items: center;
    min-block-size: var(--v-tap);
    min-inline-size: 0;
    color: var(--v-muted);
  }
  .bar .primary {
    flex: none;
    min-block-size: var(--v-tap);
    padding: 4px 16px;
    white-space: nowrap;
  }
  .away {
    visibility: hidden;
  }
  /* At rest: the field, the account or the main button, and a status over the field. */
  .rest:has(:placeholder-shown) {
    position: relative;
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto auto;
    align-items: center;
    .bar,
    .line {
      display: contents;
    }
    #text {
      grid-area: 1 / 1;
      min-block-size: var(--v-tap);
      padding-block: calc((var(--v-tap) - 1lh) / 2);
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    ::placeholder {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    .primary,
    .account {
      grid-area: 1 / 3;
    }
    .cancel {
      grid-area: 1 / 2;
    }
    .panel {
      grid-column: 1 / -1;
    }
    .line > :not(.account, .menu, .cancel, #status) {
      position: absolute;
      clip-path: inset(50%);
      pointer-events: none;
      visibility: hidden;
    }
    #status {
      grid-area: 1 / 1;
      color: var(--v-muted);
      pointer-events: none;
    }
    &:has(#status:not(:empty)) ::placeholder {
      color: transparent;
    }
  }
  .known.rest:has(:placeholder-shown) .primary {
    display: none;
  }
  /* The reader goes on in the window. */
  .waits .bar .primary {
    border-color: var(--v-line);
    background: none;
    color: inherit;
  }
  /* There is nothing to post yet. */
  .known:has(:placeholder-shown) .bar .primary {
    border-color: var(--v-muted);
    background: none;
    color: var(--v-muted);
  }
  .asks #text {
    min-block-size: var(--v-tap);
  }
  /* The status is still spoken. */
  .asks .bar {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: clip;
    clip-path: inset(50%);
  }
  .asks .bar :is(button, a) {
    visibility: hidden;
  }
  .closed {
    margin: 0 0 12px;
    padding: 12px 14px;
    border: 1px solid color-mix(in srgb, currentColor 25%, transparent);
    border-radius: calc(var(--v-radius) * 1.25);
    color: var(--v-muted);
    overflow-wrap: anywhere;
  }
  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: clip;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  section {
    position: relative;
    container-type: inline-size;
  }
  /* The place of the thread, until its code is there: \`thread/place.ts\`. What the page has reserved for it ends then. No part of the
     viewport: a frame may be as high as its content. */
  .held {
    min-block-size: 100em;
  }
  :host([show-posts]) {
    min-block-size: 0 !important;
  }
  /* The comments are not seen before the form of a reader who comes back: it would move them. For two seconds at most. */
  .returning > :is(vestibule-thread, slot[name='posts']) {
    animation: unseen 2s;
  }
  @keyframes unseen {
    from,
    to {
      visibility: hidden;
    }
  }
  @container (inline-size < 30em) {
    /* The row of the status is above the main button, which keeps one line. */
    .frame {
      --v-tap: 44px;
    }
    .bar {
      flex: 1 0 100%;
      flex-wrap: wrap;
    }
    .line {
      order: -1;
      flex: 1 0 100%;
      /* Room for each phrase beside the account. */
      min-block-size: max(var(--v-tap), 3lh);
    }
    /* One line, but for readers who space their texts. */
    .bar .primary {
      flex: 1;
      padding-inline: 8px;
      white-space: normal;
    }
    /* Beside the account, where there is room for it and no status. */
    .known .bar {
      flex-direction: row;
    }
    .known .line:has(#status:empty) {
      flex: 999 1 auto;
    }
    .known .bar .primary {
      flex: 1 0 auto;
    }
    .rest:has(:placeholder-shown) {
      grid-template-rows: auto var(--v-tap);
      .primary,
      .account {
        grid-area: 2 / 1 / auto / -1;
        justify-self: stretch;
      }
    }
    .compact.rest:has(:placeholder-shown) {
      grid-template-rows: auto;
      .primary,
      .account {
        grid-area: 1 / 3;
      }
      .account {
        max-inline-size: 45cqi;
      }
    }
  }
  @container (inline-size < 21em) {
    .line {
      flex-wrap: wrap;
      align-content: center;
      min-block-size: calc(var(--v-tap) + 2lh);
    }
    /* Beside the main button there is no room for it. It is still read. */
    .compact.rest:not(.known):has(:placeholder-shown) #status {
      position: absolute;
      clip-path: inset(50%);
    }
  }
  @media print {
    section {
      min-block-size: 0 !important;
    }
    .frame,
    #alert,
    .panel,
    slot[name='rules'] {
      display: none !important;
    }
  }
`;
