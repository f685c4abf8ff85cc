/** Language of the publisher's labels. */

/** BCP 47 tag of the nearest `lang`, within the comment box the box's; empty without one. The widget may have no phrases in
 *  that language. */
export function languageAround(element: HTMLElement): string {
  const root = element.getRootNode();
  const outer = root instanceof ShadowRoot ? root.host : element;
  return outer.closest<HTMLElement>('[lang]')?.lang ?? document.documentElement.lang;
}
