/** Abuse of `vestibule serve` without a proxy before it. */

import { describeAbuse } from './_describe-abuse.ts';

describeAbuse('directly', { isProxied: false, enter: (port) => Promise.resolve({ entrance: { port } }) });
