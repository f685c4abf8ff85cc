/** Styles of a part that loads later than its element. */

import { adoptStyles, type CSSResult } from 'lit';

/** Adds `styles` to those of `root`, which `adoptStyles` alone would replace. */
export function addStyles(root: ShadowRoot, styles: CSSResult): void {
  const { styleSheet } = styles;
  if (styleSheet) root.adoptedStyleSheets = [...root.adoptedStyleSheets, styleSheet];
  // On a page that replaces `Document`, Lit adds a `<style>` instead.
  else adoptStyles(root, [styles]);
}
