/** The gates to the service, one for each kind of call: what hangs in one holds nothing up in another. */

import type { Config } from '../config/config.ts';
import { Gate, type BreakerState } from './gate.ts';
import { serviceOperations, type ServiceOperation } from './operation.ts';
import { isOutage } from './service-answer.ts';
import type { SendsRequests, ServiceAnswer } from './service-http.ts';

export type GatesConfig = Pick<Config,
  'serviceMaxInFlight' | 'serviceMaxQueued' | 'serviceQueueTimeoutMs' | 'serviceBreakerFailures' | 'serviceBreakerOpenMs' | 'serviceProbeTimeoutMs'>;

export type Gates = Readonly<Record<ServiceOperation, Gate<ServiceAnswer>>>;

export interface GatesDeps {
  readonly http: SendsRequests;
  /** Path of the service's base address. */
  readonly basePath: string;
  readonly onState: (operation: ServiceOperation, state: BreakerState) => void;
}

/** Connections that calls through these gates need at most, a probe and its knock included. */
export function connectionsOf({ serviceMaxInFlight }: GatesConfig): number {
  return serviceOperations.length * (serviceMaxInFlight + 1);
}

export function createGates(config: GatesConfig, { http, basePath, onState }: GatesDeps): Gates {
  const settings = {
    capacity: config.serviceMaxInFlight,
    queue: config.serviceMaxQueued,
    queueTimeoutMs: config.serviceQueueTimeoutMs,
    failures: config.serviceBreakerFailures,
    openMs: config.serviceBreakerOpenMs,
    probeTimeoutMs: config.serviceProbeTimeoutMs,
  };
  const knock = (timeoutMs: number) => http.send({ method: 'HEAD', path: `${basePath}/`, headers: {} }, timeoutMs);
  const gateOf = (operation: ServiceOperation) => new Gate<ServiceAnswer>(settings, {
    isFailure: isOutage,
    knock,
    onState: (state) => { onState(operation, state); },
  });
  return { 'token-exchange': gateOf('token-exchange'), 'create-post': gateOf('create-post'), request: gateOf('request') };
}
