/**
 * Design tokens of both elements. The page may set every `--vestibule-*` property; the private `--v-*` ones carry the
 * defaults. Colours follow the page: ink is the page's text colour, lines and tints are mixed from it. `theme` gives the
 * element its own surface.
 *
 * A page's `*` rules win over `:host`, so the look is set on the section. Lengths are in `em`, because some pages redefine
 * the `rem`; targets are in `px`. The focus ring is black within white, so that it shows on any background.
 */

import { css } from 'lit';

export const tokens = css`
  :host {
    --v-accent: var(--vestibule-accent, light-dark(#2b59c3, #9db8ff));
    --v-on-accent: var(--vestibule-on-accent, light-dark(#fff, #0d1530));
    --v-danger: var(--vestibule-danger, light-dark(#b3261e, #ffb4ab));
    --v-muted: var(--vestibule-muted, color-mix(in srgb, currentColor 72%, transparent));
    --v-line: var(--vestibule-line, color-mix(in srgb, currentColor 45%, transparent));
    --v-tint: var(--vestibule-tint, color-mix(in srgb, currentColor 4%, transparent));
    --v-radius: var(--vestibule-radius, 0.5em);
    --v-space: var(--vestibule-space, 0.75em);
    display: block;
  }
  :host([hidden]) {
    display: none;
  }
  section {
    color: var(--vestibule-color, inherit);
    background: var(--vestibule-background, none);
    padding: var(--vestibule-padding, 0);
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
    background: var(--vestibule-background, light-dark(#fff, #17181c));
    padding: var(--vestibule-padding, 1.25em);
  }
  :host([theme=dark]) section {
    color-scheme: dark;
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

/** Buttons and text fields of both elements. Fields of 16 px and more keep iOS from zooming. */
export const controls = css`
  button,
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
  }
  .primary {
    background: var(--v-accent);
    border-color: transparent;
    color: var(--v-on-accent);
    font-weight: 600;
  }
`;
