/**
 * Styles of the first stage of the comment box. The second stage moves nothing: its line has its place from the start, on a
 * phone a row of three lines, on the smallest of four. The main button comes before it in the document, so that the keyboard
 * goes from the text to it.
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
    margin-block-end: 0.6em;
    font: var(--vestibule-heading-font, inherit);
    font-size: 1.375em;
    font-weight: 700;
    line-height: 1.25;
    overflow-wrap: anywhere;
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
  .composer {
    display: grid;
    grid-template-columns: 2.5em minmax(0, 1fr);
    gap: 12px;
  }
  .avatar {
    display: grid;
    place-items: center;
    align-self: start;
    aspect-ratio: 1;
    overflow: clip;
    border-radius: 50%;
    background: oklch(60% 0.14 var(--hue) / 24%);
    font-size: 0.875em;
    font-weight: 600;
  }
  .none {
    border: 1.5px dashed color-mix(in srgb, currentColor 25%, transparent);
    background: none;
  }
  .frame {
    border: 1px solid var(--v-line);
    border-radius: calc(var(--v-radius) * 1.25);
    background: var(--v-tint);
    overflow: clip;
  }
  .frame:focus-within {
    border-color: var(--v-accent);
  }
  .frame:has(#text:focus-visible) {
    outline: 2px solid var(--v-accent);
  }
  #text {
    min-block-size: 4.9em;
    max-block-size: 70dvh;
    padding: 10px 14px 6px;
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
    gap: 12px;
    align-items: center;
    min-block-size: max(48px, 2.6em + 12px);
    padding-block: 6px;
    padding-inline: 14px 6px;
    font-size: 0.875em;
    line-height: 1.3;
  }
  .line {
    display: flex;
    flex: 1;
    flex-wrap: wrap;
    column-gap: 0.4em;
    align-items: center;
    min-inline-size: 0;
    color: var(--v-muted);
  }
  .bar .primary {
    flex: none;
    position: relative;
    max-inline-size: 50%;
    min-block-size: 36px;
    padding: 7px 14px;
  }
  .bar .primary::after {
    content: '';
    position: absolute;
    inset: -5px;
  }
  .away {
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
    .composer {
      grid-template-columns: minmax(0, 1fr);
    }
    .avatar {
      display: none;
    }
    /* The status has a row of its own, above the main button, which keeps one line. */
    .bar {
      flex-wrap: wrap;
      padding-inline: 6px;
    }
    .line {
      order: -1;
      flex: 1 0 100%;
      box-sizing: border-box;
      padding-inline: 8px;
      min-block-size: 3.9em;
    }
    .bar .primary {
      flex: 1;
      max-inline-size: none;
      white-space: nowrap;
    }
  }
  @container (inline-size < 21.25em) {
    .line {
      min-block-size: 5.2em;
    }
  }
  @media print {
    section {
      min-block-size: 0 !important;
    }
    .composer,
    #alert,
    .panel,
    slot[name='rules'] {
      display: none;
    }
  }
`;
