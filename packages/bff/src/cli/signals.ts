/** Signals and uncaught errors. The first SIGTERM or SIGINT starts an orderly stop; a later one exits at once. */

import { constants } from 'node:os';
import type { Logger } from 'pino';
import { exitStatus } from './command.ts';

type EndSignal = 'SIGTERM' | 'SIGINT';

/** The same signal within this time counts once, in ms: npx and systemd pass on what the process group received already. */
const REPEAT_MS = 1_000;

/** How long open handles may delay the exit after an orderly stop, in ms. */
const EXIT_TIMEOUT_MS = 1_000;

/** Resolves with the first signal. */
export function endSignal(log: Logger): Promise<EndSignal> {
  const { promise, resolve } = Promise.withResolvers<EndSignal>();
  let first: { readonly signal: EndSignal; readonly at: number } | undefined;
  const onSignal = (signal: EndSignal) => {
    const now = performance.now();
    if (!first) {
      first = { signal, at: now };
      resolve(signal);
    } else if (signal !== first.signal || now - first.at >= REPEAT_MS) {
      log.warn({ signal }, 'exiting at once');
      process.exit(128 + constants.signals[signal]);
    }
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('SIGHUP', () => { log.info('SIGHUP is ignored: restart to apply other settings'); });
  return promise;
}

/** Resolves with the first rejection that nothing handles, such as of a promise that a hook did not await: the process should
 *  drain and end. After an uncaught exception the state is unknown: logs it and exits at once. */
export function endOnFault(log: Logger): Promise<'fault'> {
  const { promise, resolve } = Promise.withResolvers<'fault'>();
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'crashed');
    process.exit(exitStatus.failure);
  });
  process.on('unhandledRejection', (err) => {
    log.fatal({ err, origin: 'unhandledRejection', setting: 'VESTIBULE_CONFIG' }, 'a promise was rejected and nothing handled it: the process drains and ends');
    resolve('fault');
  });
  return promise;
}

/** Exits even if a handle stays open, such as a log destination that takes nothing. */
export function exitSoon(status: number): void {
  setTimeout(() => { process.exit(status); }, EXIT_TIMEOUT_MS).unref();
}
