/** The books afterwards: what readers were told against what the service has. */

import type { EmulatedService, Fault } from '../service/index.ts';
import type { Outages } from './_outages.ts';
import type { Intent, Poster } from './_poster.ts';

export interface Books {
  readonly posters: readonly Poster[];
  readonly service: EmulatedService;
  /** What the service did with each of its requests for a post, in their order; `undefined`: it was honest. */
  readonly drawn: readonly (Fault | undefined)[];
  readonly outages: Outages;
}

export interface Report {
  readonly acknowledged: number;
  readonly unknown: number;
  /** Messages that the service has more than once. */
  readonly duplicates: readonly string[];
  /** Acknowledged, and not there, or another's, or under another name. */
  readonly missing: readonly string[];
  /** `outcome-unknown`, without a fault of the service's or anything's death. */
  readonly unexplained: readonly string[];
  /** What no reader should have been told. */
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
