/** The accessibility tree, as Chromium computes it. */

import { a11ySnapshot } from '@web/test-runner-commands';

type Snapshot = Awaited<ReturnType<typeof a11ySnapshot>>;

/** Of the element of the page. The driver may lose its context of a page while it is new ("Execution context was destroyed"): it
 *  is asked once more. */
export function snapshotOf(selector: string): Promise<Snapshot> {
  const ask = (): Promise<Snapshot> => a11ySnapshot({ selector });
  return ask().catch(ask);
}
