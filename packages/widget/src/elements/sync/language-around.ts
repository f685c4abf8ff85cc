/** The language that the publisher's labels should come in. */

/** BCP 47 tag of the nearest `lang`, from within the comment box the box's own; empty where the page names none. It may
 *  be a language that the widget itself does not speak. */
export function languageAround(element: HTMLElement): string {
  const root = element.getRootNode();
  const outer = root instanceof ShadowRoot ? root.host : element;
  return outer.closest<HTMLElement>('[lang]')?.lang ?? document.documentElement.lang;
}
