/** Signals and crashes. The first SIGTERM or SIGINT asks for an orderly end, a second one ends the process at once.
 *  SIGHUP changes nothing: settings are read at the start, and a restart behind a proxy loses nothing. */

import { constants } from 'node:os';
import type { Logger } from 'pino';
import { exitStatus } from './exit-status.ts';

type EndSignal = 'SIGTERM' | 'SIGINT';

/** Settles at the first signal that asks for the end. */
export function endSignal(log: Logger): Promise<EndSignal> {
  const { promise, resolve } = Promise.withResolvers<EndSignal>();
  let hasBeenAsked = false;
  const onSignal = (signal: EndSignal) => {
    if (hasBeenAsked) {
      log.warn({ signal }, 'ended at once');
      process.exit(128 + constants.signals[signal]);
    }
    hasBeenAsked = true;
    resolve(signal);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('SIGHUP', () => { log.info('SIGHUP changes nothing: start anew to have other settings read'); });
  return promise;
}

/** A fault that nobody caught leaves a process in a state that nobody knows: it is logged and ends the process. */
export function endOnCrash(log: Logger): void {
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'crashed');
    process.exit(exitStatus.failure);
  });
}
