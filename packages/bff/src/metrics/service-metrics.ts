/** Calls to the service: outcomes, durations, calls in flight and queued, circuit breaker states, and clock drift. */

import { Gauge, Histogram, type Registry } from 'prom-client';
import { breakerStates, type BreakerState } from '../service/operation-policy.ts';
import {
  serviceOperations, type CallOutcome, type ServiceClient, type ServiceEvent, type ServiceOperation,
} from '../service/service-client.ts';

/** Outcomes that a call can have. */
const callOutcomes: readonly CallOutcome[] = [
  'ok', 'not-made', 'not-signed-in', 'service-refused', 'bad-service-response', 'service-unavailable', 'outcome-unknown', 'internal-error',
];

export class ServiceMetrics {
  readonly #calls: Histogram<'operation' | 'outcome'>;
  readonly #breaker: Gauge<'operation' | 'state'>;
  readonly #correction: Gauge;
  #client: Pick<ServiceClient, 'load' | 'clockDriftMs'> | undefined;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#calls = new Histogram({
      name: 'vestibule_service_call_duration_seconds',
      help: 'Durations of calls to the service by outcome, time in the queue included.',
      labelNames: ['operation', 'outcome'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20],
      registers,
    });
    for (const operation of serviceOperations) for (const outcome of callOutcomes) this.#calls.zero({ operation, outcome });
    this.#breaker = new Gauge({
      name: 'vestibule_service_breaker_state',
      help: '1 for the present state of the circuit breaker.',
      labelNames: ['operation', 'state'],
      registers,
    });
    for (const operation of serviceOperations) this.#setBreakerState(operation, 'closed');
    this.#gaugeOfLoad(registry, 'vestibule_service_calls_open', 'Calls to the service in flight.', 'inFlight');
    this.#gaugeOfLoad(registry, 'vestibule_service_calls_waiting', 'Calls that wait for a slot.', 'waiting');
    const driftSeconds = () => (this.#client?.clockDriftMs ?? 0) / 1000;
    new Gauge({
      name: 'vestibule_service_clock_drift_seconds',
      help: 'How far the service\'s clock is ahead of this machine\'s.',
      registers,
      collect() { this.set(driftSeconds()); },
    });
    this.#correction = new Gauge({
      name: 'vestibule_service_clock_correction_seconds',
      help: 'Added to this machine\'s clock when a nonce is created.',
      registers,
    });
  }

  /** The client whose load and clock drift the gauges report. */
  watch(client: Pick<ServiceClient, 'load' | 'clockDriftMs'>): void {
    this.#client = client;
  }

  record(event: ServiceEvent): void {
    switch (event.type) {
      case 'call-ended':
        this.#calls.observe({ operation: event.operation, outcome: event.outcome }, event.seconds);
        break;
      case 'breaker-changed':
        this.#setBreakerState(event.operation, event.state);
        break;
      case 'clock-corrected':
        this.#correction.set(event.correctionMs / 1000);
        break;
    }
  }

  #setBreakerState(operation: ServiceOperation, state: BreakerState): void {
    for (const other of breakerStates) this.#breaker.set({ operation, state: other }, other === state ? 1 : 0);
  }

  #gaugeOfLoad(registry: Registry, name: string, help: string, measure: 'inFlight' | 'waiting'): void {
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
