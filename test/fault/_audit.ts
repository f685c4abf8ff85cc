/** Compares the responses that readers got with the posts at the service. */

import type { EmulatedService, Fault } from '../service/index.ts';
import type { Outages } from './_outages.ts';
import type { Intent, Poster } from './_poster.ts';

export interface Books {
  readonly posters: readonly Poster[];
  readonly service: EmulatedService;
  /** Fault of each `posts` request at the service, in order; `undefined`: none. */
  readonly drawn: readonly (Fault | undefined)[];
  readonly outages: Outages;
}

export interface Report {
  readonly acknowledged: number;
  readonly unknown: number;
  /** Messages that the service stored more than once. */
  readonly duplicates: readonly string[];
  /** Acknowledged posts that the service does not have under their id. */
  readonly missing: readonly string[];
  /** `outcome-unknown` without a fault of the service or an outage. */
  readonly unexplained: readonly string[];
  /** Responses that no reader may get. */
  readonly unexpected: readonly string[];
}

export function audit({ posters, service, drawn, outages }: Books): Report {
  const intents = posters.flatMap((poster) => poster.intents);
  const posts = Map.groupBy(service.posts, ({ message }) => message);
  const faulty = faultyMessages(service, drawn);
  const having = (outcome: Intent['outcome']) => intents.filter((intent) => intent.outcome === outcome);
  const names = (chosen: readonly Intent[]) => chosen.map(({ message }) => message);
  return {
    acknowledged: having('acknowledged').length,
    unknown: having('unknown').length,
    duplicates: [...posts].filter(([, same]) => same.length > 1).map(([message]) => message),
    missing: names(having('acknowledged').filter(({ message, postId }) => !posts.get(message)?.some(({ id }) => id === postId))),
    unexplained: names(having('unknown').filter(({ message, attempts }) => (
      !faulty.has(message) && !attempts.some((attempt) => outages.overlap(attempt))
    ))),
    unexpected: intents.map(({ outcome }) => outcome).filter((outcome) => outcome.startsWith('unexpected') || outcome === 'open'),
  };
}

function faultyMessages(service: EmulatedService, drawn: readonly (Fault | undefined)[]): ReadonlySet<string> {
  const requests = service.requests.filter(({ endpoint }) => endpoint === 'posts');
  return new Set(requests.flatMap(({ body }, index) => (
    drawn[index] === undefined ? [] : [new URLSearchParams(body.toString()).get('message') ?? '']
  )));
}
