/**
 * Design tokens of the elements. The page may set every `--vestibule-*` property; the private `--v-*` ones carry the defaults.
 * Colours follow the page's text, whatever its `color-scheme`: ink is `currentColor`, and the others are mixed from it. The
 * accent has 3 : 1 to light and to dark pages. `theme` gives the element its own surface.
 *
 * A page's `*` rules win over `:host`, so the look is set on the section. Lengths are in `em`, because some pages redefine
 * the `rem`; targets are in `px`. The focus ring of buttons is black within white, so that it shows on any background.
 */

import { css } from 'lit';

export const tokens = css`
  :host {
    display: block;
  }
  :host([hidden]) {
    display: none;
  }
  section {
    --v-accent: var(--vestibule-accent, #3a6be8);
    --v-on-accent: var(--vestibule-on-accent, #fff);
    --v-danger: var(--vestibule-danger, color-mix(in oklab, #d00 60%, currentColor));
    --v-success: var(--vestibule-success, color-mix(in oklab, #080 50%, currentColor));
    --v-muted: var(--vestibule-muted, color-mix(in srgb, currentColor 85%, transparent));
    --v-line: var(--vestibule-line, color-mix(in srgb, currentColor 66%, transparent));
    --v-tint: var(--vestibule-tint, color-mix(in srgb, currentColor 4%, transparent));
    --v-radius: var(--vestibule-radius, 0.5em);
    --v-space: var(--vestibule-space, 0.75em);
    --v-tap: 36px;
    color: var(--vestibule-color, inherit);
    --v-surface: var(--vestibule-background, none);
    background: var(--v-surface);
    --v-padding: var(--vestibule-padding, 0);
    padding: var(--v-padding);
    border-radius: var(--v-radius);
    font-family: var(--vestibule-font, inherit);
    line-height: 1.5;
    text-align: start;
    text-indent: 0;
    text-transform: none;
    white-space: normal;
  }
  :host(:is([theme=light], [theme=dark])) section {
    color-scheme: light;
    color: var(--vestibule-color, light-dark(#1d1d1f, #ececf0));
    --v-surface: var(--vestibule-background, light-dark(#fff, #17181c));
    --v-padding: var(--vestibule-padding, 1.25em);
  }
  :host([theme=dark]) section {
    color-scheme: dark;
  }
  /* Fingers get 44 px. */
  @media (pointer: coarse) {
    section {
      --v-tap: 44px;
    }
  }
  @media (prefers-contrast: more) {
    section {
      --v-muted: currentColor;
      --v-line: currentColor;
    }
  }
  * {
    box-sizing: border-box;
  }
  :focus-visible {
    outline: 2px solid #000;
    outline-offset: 2px;
    box-shadow: 0 0 0 6px #fff;
  }
`;

/** Buttons and text fields of the elements. Fields of 16 px and more keep iOS from zooming. */
export const controls = css`
  button,
  .primary,
  .field {
    font: inherit;
    color: inherit;
    border: 1px solid var(--v-line);
    border-radius: var(--v-radius);
    min-block-size: 44px;
    padding: 0.5em 0.875em;
    background: none;
  }
  .field {
    display: block;
    inline-size: 100%;
    font-size: max(1em, 16px);
    background: var(--v-tint);
    -webkit-user-select: text;
    user-select: text;
  }
  .primary {
    background: var(--v-accent);
    border-color: transparent;
    color: var(--v-on-accent);
    font-weight: 600;
  }
`;
