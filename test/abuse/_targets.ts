/**
 * Endpoints to attack. Endpoints of the wire contract come from `@vestibule/shared`; a new one is covered at once, and a
 * new one that takes a body needs its line in `bodies`. Static files are one of each kind.
 */

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints, type Endpoint } from '@vestibule/shared';
import { widgetDirectory } from '../../packages/bff/src/http/static-files.ts';
import { ORIGIN } from './_entrance.ts';
import type { Attacker } from './_request.ts';

export const groups = ['static files', 'health', 'pages', 'JSON'] as const;

export type Group = (typeof groups)[number];

export interface Target {
  readonly name: string;
  readonly group: Group;
  readonly method: string;
  /** With its query, relative to the BFF's public URL. */
  readonly path: string;
  /** Whether the path is relative to the root of the server. */
  readonly isAtRoot?: boolean;
  /** JSON that the endpoint accepts as far as possible: a request that is refused early costs the server little. */
  readonly body?: (attacker: Attacker) => string;
  /** Whether responses are large: a few hundred fill the buffers of a connection. */
  readonly isLarge?: boolean;
  /** Whether the attacker sends its cookies. */
  readonly hasCookies?: boolean;
  /** Whether it sends `Sec-Fetch-Site: same-origin`. */
  readonly isSameOrigin?: boolean;
}

export const hasBody = ({ body }: Target): boolean => body !== undefined;

type EndpointName = keyof typeof endpoints;

const forum = 'news';
const invented = { code: 'invented', username: 'nobody', user_id: '0' };

/** An invented code is stored as a sign-in; answers that break a rule leave the sign-in as it is. */
const bodies: Partial<Record<EndpointName, (attacker: Attacker) => object>> = {
  syncStart: ({ audiencesync_uri }) => ({ ...invented, code: crypto.randomUUID(), audiencesync_uri }),
  syncValidation: ({ sync, username }) => ({ sync, username, answers: {} }),
  syncCancel: () => ({ sync: 'invented' }),
  posts: () => ({ forum, message: 'A post of the attacker', page: `${ORIGIN}/articles/harbour` }),
};

const queries: Partial<Record<EndpointName, Readonly<Record<string, string>>>> = {
  syncAuthorize: { forum, return_to: `${ORIGIN}/articles/harbour` },
  syncReturn: { ...invented, error: 'access_denied' },
  comments: { forum },
  postList: { page: `${ORIGIN}/articles/harbour` },
};

const pages: readonly EndpointName[] = ['syncAuthorize', 'syncReturn', 'syncForm', 'comments'];
const health: readonly EndpointName[] = ['health', 'readiness'];

/** Endpoints that read cookies and do not end what they name. */
const withCookies: readonly EndpointName[] = ['session', 'posts', 'syncReturn', 'syncValidation'];

export async function findTargets(): Promise<readonly Target[]> {
  const files = await readdir(widgetDirectory());
  const versioned = files.find((file) => /^widget-.+\.js$/.test(file));
  const asset = await largestScript(join(widgetDirectory(), 'assets'));
  if (versioned === undefined || asset === undefined) throw new Error('The widget is not built; run npm run build.');
  return [
    { name: 'widget.js', group: 'static files', method: 'GET', path: '/widget.js', isLarge: true },
    { name: 'widget-*.js', group: 'static files', method: 'GET', path: `/${versioned}` },
    { name: 'assets', group: 'static files', method: 'GET', path: `/assets/${asset}`, isLarge: true },
    { name: 'a missing asset', group: 'static files', method: 'GET', path: '/assets/missing.js' },
    { name: 'an unknown path', group: 'pages', method: 'GET', path: '/unknown' },
    ...Object.entries(endpoints).map(([name, endpoint]) => targetOf(name as EndpointName, endpoint)),
    ...health.map((name) => ({ name: `${name} at the root`, group: 'health', method: 'GET', path: endpoints[name].path, isAtRoot: true }) as const),
  ];
}

async function largestScript(directory: string): Promise<string | undefined> {
  const scripts = (await readdir(directory)).filter((file) => file.endsWith('.js'));
  const sizes = await Promise.all(scripts.map(async (file) => ({ file, size: (await stat(join(directory, file))).size })));
  return sizes.sort((a, b) => b.size - a.size)[0]?.file;
}

function targetOf(name: EndpointName, { method, path }: Endpoint): Target {
  const query = queries[name];
  const body = bodies[name];
  if (method === 'POST' && !body) throw new Error(`${name} needs a body in test/abuse/_targets.ts`);
  return {
    name,
    group: pages.includes(name) ? 'pages' : health.includes(name) ? 'health' : 'JSON',
    method,
    path: query ? `${path}?${new URLSearchParams(query).toString()}` : path,
    hasCookies: withCookies.includes(name),
    isSameOrigin: name === 'syncAuthorize',
    ...(body && { body: (attacker) => JSON.stringify(body(attacker)) }),
  };
}
