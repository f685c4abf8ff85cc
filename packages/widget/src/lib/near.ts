/** Options of an `IntersectionObserver` that reports an element at a distance from what is seen, also where the page scrolls in
 *  an element. A scroll margin is one of the viewport, too: with `rootMargin` the distance would be twice as long. Browsers
 *  without it report what comes near in the viewport. */
export function near(margin: string): IntersectionObserverInit {
  return 'scrollMargin' in IntersectionObserver.prototype ? { scrollMargin: margin } : { rootMargin: margin };
}
