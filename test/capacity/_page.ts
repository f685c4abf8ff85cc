/** `docs/capacity.md`, from the figures. */

import type { CapacityFigures, RequestName } from './_figures.ts';
import { assumptions, capacityOf, limits, type Capacity, type Demand, type Resource } from './_model.ts';

const VIEWS = [1e6, 1e8, 1e9];
const COMMENTERS = [0.01, 0.05];

const requestTitles: Readonly<Record<RequestName, string>> = {
  static: '`GET /widget.js`, not modified',
  session: '`GET /session`, signed in',
  posts: '`GET /posts`, the page’s posts in memory',
  post: '`POST /posts`',
  signIn: 'sign-in: `POST /sync` and `POST /sync/validation`',
};

const resourceTitles: Readonly<Record<Resource, string>> = {
  bffCores: 'the core of the BFF',
  redisCores: 'the core of the Redis',
  redisBytes: 'the memory of the Redis',
  networkBitsPerSecond: 'the network',
  serviceCalls: 'calls to the service in flight',
};

const remedies: Readonly<Record<Resource, string>> = {
  bffCores: 'Serve `widget.js` and `assets/*` from a CDN or a caching proxy, and cache `GET /posts` there for its 15 s. '
    + 'Then add BFF processes: one per core, behind one proxy, on one Redis.',
  redisCores: 'Use a Redis Cluster: sessions, posts and counts are separate keys, so the load divides by the number of masters.',
  redisBytes: 'Give the Redis more memory, or use a cluster. `VESTIBULE_SESSION_IDLE_SECONDS` and `VESTIBULE_IDEMPOTENCY_SECONDS` '
    + 'shorten what is kept. Keep `maxmemory-policy noeviction`: an evicted session signs its reader out.',
  networkBitsPerSecond: 'Serve `widget.js` and `assets/*` from a CDN: they are most of the bytes, and immutable but for `widget.js`.',
  serviceCalls: 'Add BFF processes, or raise `VESTIBULE_SERVICE_MAX_IN_FLIGHT` after asking the operator of the service what it admits.',
};

export function renderPage(figures: CapacityFigures): string {
  const demands = [false, true].flatMap((hasThread) => VIEWS.flatMap((viewsPerDay) => (
    COMMENTERS.map((commenters) => ({ viewsPerDay, commenters, hasThread }))
  )));
  const rows = demands.map((demand) => [demand, capacityOf(figures, demand)] as const);
  const firsts = [...new Set(rows.map(([, { first }]) => first))];
  return `# Capacity

What a publisher needs for an amount of article views, computed from measured figures. \`npm run capacity\` writes this page from
\`docs/capacity-figures.json\`; \`npm run capacity -- --measure\` measures the figures first. All figures are from one
machine (${figures.processor}, Node.js ${figures.node}, Redis ${figures.redis}, ${figures.at.slice(0, 10)}). Measure on yours before you buy.

## Measured

| request | CPU of the BFF | CPU of the Redis | response |
| --- | ---: | ---: | ---: |
${Object.entries(figures.requests).map(([name, { bffMs, redisMs, responseBytes }]) => (
  `| ${requestTitles[name as RequestName]} | ${bffMs.toFixed(2)} ms | ${redisMs.toFixed(3)} ms | ${bytes(responseBytes)} |`
)).join('\n')}

Sizes of responses include their headers. A first visit requests ${figures.firstVisit.requests} ${figures.firstVisit.requests === 1 ? 'file' : 'files'} of the widget: ${bytes(figures.firstVisit.bytes)} with headers.
In Redis a session takes ${bytes(figures.redisBytes.session)}, the record of a post ${bytes(figures.redisBytes.post)}, the records of a sign-in ${bytes(figures.redisBytes.signIn)}.

## Assumed

- The busiest minute has ${assumptions.peakFactor} times the mean of the day, and may use ${percent(assumptions.utilization)} of a resource.
- ${percent(assumptions.firstVisitShare)} of the views are by browsers without the widget; the others revalidate \`widget.js\`.
- For each view with a comment there are ${assumptions.silentViewsPerComment} by readers who are signed in and only read. Both request the session.
- ${percent(assumptions.signInShare)} of the comments need a sign-in first. A session lives ${assumptions.sessionDays} days, the record of a post ${assumptions.recordDays} day.
- The service responds in ${assumptions.serviceSeconds * 1_000} ms.
- No CDN and no cache stand before the BFF. Replicas of the Redis need as much memory again.

## Without a thread

A reader who does not touch the box requests the widget's files and nothing else.

${table(rows.filter(([{ hasThread }]) => !hasThread))}

## With a thread, uncached

Each view requests \`GET /posts\` too. With a cache that keeps \`GET /posts\` for 15 s, use the table above.

${table(rows.filter(([{ hasThread }]) => hasThread))}

*BFF cores*: at the peak, at most ${percent(assumptions.utilization)} busy. *BFF processes*: one core each, or more if the calls to the service in flight need
more; one process to spare; at least two.

*Share of the smallest deployment*: the peak against one BFF process on one core, one Redis on one core with
${bytes(limits.redisBytes)}, ${bits(limits.networkBitsPerSecond)}, ${limits.serviceCalls} calls to the service in flight. Up to 1.0 it is enough; run two BFFs all the
same, so that one can be replaced. On SQLite, all processes run on one machine.

## When a resource saturates

${firsts.map((first) => `- **${capitalized(resourceTitles[first])}**: ${remedies[first]}`).join('\n')}
${(Object.keys(remedies) as Resource[]).filter((name) => !firsts.includes(name)).map((name) => (
  `- ${capitalized(resourceTitles[name])} (saturates after other resources): ${remedies[name]}`
)).join('\n')}
`;
}

function table(rows: readonly (readonly [Demand, Capacity])[]): string {
  return [
    '| views a day | commenters | requests/s, mean | requests/s, peak | posts/s, peak | BFF cores | BFF processes | Redis cores | Redis memory | network | saturates first | share of the smallest deployment |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: |',
    ...rows.map(([{ viewsPerDay, commenters }, { mean, peak, peakPosts, needs, instances, first, ratio }]) => (
      `| ${amount(viewsPerDay)} | ${percent(commenters)} | ${amount(mean)} | ${amount(peak)} | ${amount(peakPosts)} | ${amount(needs.bffCores)} | ${instances} `
      + `| ${amount(needs.redisCores)} | ${bytes(needs.redisBytes)} | ${bits(needs.networkBitsPerSecond)} | ${resourceTitles[first]} | ${amount(ratio)} × |`
    )),
  ].join('\n');
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Two digits that count. */
function amount(value: number): string {
  if (value < 10) return value < 0.095 ? value.toFixed(2) : value.toFixed(1);
  return Number(value.toPrecision(value < 100 ? 2 : 3)).toLocaleString('en-US');
}

function bytes(value: number): string {
  return scaled(value, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB']);
}

function bits(value: number): string {
  return scaled(value, 1_000, ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s']);
}

function scaled(value: number, base: number, units: readonly string[]): string {
  const step = Math.min(Math.max(Math.floor(Math.log(value) / Math.log(base)), 0), units.length - 1);
  return `${amount(value / base ** step)} ${units[step]}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
