/** What an amount of article views needs. Every assumption is a named member of `assumptions`, and the page states it. */

import { requestNames, type CapacityFigures, type RequestName } from './_figures.ts';

export const assumptions = {
  /** Busiest minute of the day against the mean. */
  peakFactor: 4,
  /** Share of views by browsers that have no current copy of the widget; the others revalidate `widget.js`. */
  firstVisitShare: 0.3,
  /** Views by signed-in readers who only read, for each view with a comment. */
  silentViewsPerComment: 4,
  /** Requests for the session in a view by a signed-in reader. */
  sessionRequestsPerView: 1,
  /** Share of comments that need a sign-in first. */
  signInShare: 0.2,
  /** Days that a session lives after its last request. */
  sessionDays: 14,
  /** Days that the record of a post, and the claim of a sign-in, are kept. */
  recordDays: 1,
  /** Response time of the hosted service, in seconds. */
  serviceSeconds: 0.3,
  /** Share of a resource that the peak may use. */
  utilization: 0.6,
} as const;

/** One of each: the smallest deployment, whose first limit is looked for. */
export const limits = {
  bffCores: 1,
  redisCores: 1,
  redisBytes: 4 * 2 ** 30,
  networkBitsPerSecond: 1e9,
  /** `VESTIBULE_SERVICE_MAX_IN_FLIGHT` of one process. */
  serviceCalls: 64,
} as const;

export type Resource = keyof typeof limits;

const DAY_SECONDS = 86_400;

export interface Demand {
  readonly viewsPerDay: number;
  /** Share of views with a comment. */
  readonly commenters: number;
  /** Whether pages show the thread and no cache stands before `GET /posts`. */
  readonly hasThread: boolean;
}

export interface Capacity {
  /** Requests per second at the BFFs. */
  readonly mean: number;
  readonly peak: number;
  readonly peakPosts: number;
  /** At the peak, `utilization` included: what must exist. */
  readonly needs: Readonly<Record<Resource, number>>;
  /** BFF processes, one more than the peak needs, at least two. */
  readonly instances: number;
  /** The resource that the smallest deployment runs out of first, and how many times over it is needed. */
  readonly first: Resource;
  readonly ratio: number;
}

/** Requests per day. */
export function requestsPerDay({ viewsPerDay, commenters, hasThread }: Demand): Readonly<Record<RequestName, number>> {
  const { silentViewsPerComment, sessionRequestsPerView, signInShare } = assumptions;
  const comments = viewsPerDay * commenters;
  return {
    static: viewsPerDay,
    session: Math.min(comments * (1 + silentViewsPerComment), viewsPerDay) * sessionRequestsPerView,
    posts: hasThread ? viewsPerDay : 0,
    post: comments,
    signIn: comments * signInShare,
  };
}

export function capacityOf(figures: CapacityFigures, demand: Demand): Capacity {
  const { peakFactor, firstVisitShare, sessionDays, recordDays, serviceSeconds, utilization } = assumptions;
  const perDay = requestsPerDay(demand);
  const firstVisits = demand.viewsPerDay * firstVisitShare;
  const furtherFiles = firstVisits * (figures.firstVisit.requests - 1);
  const requests = sum((name) => perDay[name] * (name === 'signIn' ? 2 : 1)) + furtherFiles;
  // They cost as much as `widget.js`.
  const bffMs = sum((name) => perDay[name] * figures.requests[name].bffMs) + furtherFiles * figures.requests.static.bffMs;
  const redisMs = sum((name) => perDay[name] * figures.requests[name].redisMs);
  const bytes = sum((name) => perDay[name] * figures.requests[name].responseBytes)
    + firstVisits * (figures.firstVisit.bytes - figures.requests.static.responseBytes);
  const { session, post, signIn } = figures.redisBytes;
  const peakOf = (daily: number) => daily / DAY_SECONDS * peakFactor;
  const needs: Record<Resource, number> = {
    bffCores: peakOf(bffMs) / 1_000 / utilization,
    redisCores: peakOf(redisMs) / 1_000 / utilization,
    redisBytes: (perDay.signIn * (sessionDays * session + recordDays * signIn) + perDay.post * recordDays * post) / utilization,
    networkBitsPerSecond: peakOf(bytes) * 8 / utilization,
    serviceCalls: peakOf(perDay.post + perDay.signIn) * serviceSeconds / utilization,
  };
  const [[first, ratio]] = (Object.keys(limits) as Resource[]).map((name) => [name, needs[name] / limits[name]] as const)
    .sort(([, one], [, other]) => other - one) as [[Resource, number]];
  return {
    mean: requests / DAY_SECONDS,
    peak: peakOf(requests),
    peakPosts: peakOf(perDay.post),
    needs,
    instances: Math.max(2, Math.ceil(Math.max(needs.bffCores, needs.serviceCalls / limits.serviceCalls)) + 1),
    first,
    ratio,
  };

  function sum(of: (name: RequestName) => number): number {
    return requestNames.reduce((total, name) => total + of(name), 0);
  }
}
