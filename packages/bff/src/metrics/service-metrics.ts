/** Calls to the service: what became of them and how long they took, how many are under way or wait, whether the circuit
 *  breakers let them through, and how far the service's clock is off. */

import { Gauge, type Registry } from 'prom-client';
import { breakerStates, type BreakerState } from '../service/gate.ts';
import { serviceOperations, type ServiceOperation } from '../service/operation.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { CallOutcome, ServiceObserver } from '../service/service-observer.ts';
import { Histogram } from './histogram.ts';

export class ServiceMetrics implements ServiceObserver {
  readonly #calls: Histogram;
  readonly #breaker: Gauge<'operation' | 'state'>;
  readonly #correction: Gauge;
  #client: Pick<ServiceClient, 'load' | 'clockDriftMs'> | undefined;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#calls = new Histogram({
      name: 'vestibule_service_call_duration_seconds',
      help: 'Calls to the service by outcome, what they waited included.',
      labelNames: ['operation', 'outcome'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20],
      registry,
    });
    this.#breaker = new Gauge({
      name: 'vestibule_service_breaker_state',
      help: '1 for the state that the circuit breaker is in.',
      labelNames: ['operation', 'state'],
      registers,
    });
    for (const operation of serviceOperations) this.breakerChanged(operation, 'closed');
    this.#gaugeOfLoad(registry, 'vestibule_service_calls_open', 'Calls to the service under way.', 'underWay');
    this.#gaugeOfLoad(registry, 'vestibule_service_calls_waiting', 'Calls that wait for one of those to end.', 'waiting');
    const driftSeconds = () => (this.#client?.clockDriftMs ?? 0) / 1000;
    new Gauge({
      name: 'vestibule_service_clock_drift_seconds',
      help: 'How far the service\'s clock is ahead of this machine\'s.',
      registers,
      collect() { this.set(driftSeconds()); },
    });
    this.#correction = new Gauge({
      name: 'vestibule_service_clock_correction_seconds',
      help: 'What is added to this machine\'s clock where a nonce is made.',
      registers,
    });
  }

  /** Whose load and drift are told. */
  watch(client: Pick<ServiceClient, 'load' | 'clockDriftMs'>): void {
    this.#client = client;
  }

  callEnded(operation: ServiceOperation, outcome: CallOutcome, seconds: number): void {
    this.#calls.of(operation, outcome).observe(seconds);
  }

  breakerChanged(operation: ServiceOperation, state: BreakerState): void {
    for (const other of breakerStates) this.#breaker.set({ operation, state: other }, other === state ? 1 : 0);
  }

  clockCorrected(correctionMs: number): void {
    this.#correction.set(correctionMs / 1000);
  }

  #gaugeOfLoad(registry: Registry, name: string, help: string, measure: 'underWay' | 'waiting'): void {
    const loadOf = (operation: ServiceOperation) => this.#client?.load(operation)[measure] ?? 0;
    new Gauge({
      name,
      help,
      labelNames: ['operation'],
      registers: [registry],
      collect() {
        for (const operation of serviceOperations) this.set({ operation }, loadOf(operation));
      },
    });
  }
}
