/** What belongs to the process and not to an instance in it: event-loop lag, memory, CPU time, garbage collection.
 *  Measured once however many instances there are, and from the first question on. */

import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

export function processRegistry(): Registry {
  if (!registry) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return registry;
}
