/** The kinds of calls to the service: each has its own cap, its own circuit breaker and its own line in the metrics. */

export const serviceOperations = ['token-exchange', 'create-post', 'request'] as const;

export type ServiceOperation = (typeof serviceOperations)[number];
