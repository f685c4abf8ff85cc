/**
 * Endpoints to attack. Endpoints of the wire contract come from `@vestibule/shared`; a new one is covered at once, and a
 * new one that takes a body needs its line in `bodies`. Static files are one of each kind.
 */

import { readdir } from 'node:fs/promises';
import { endpoints, type Endpoint } from '@vestibule/shared';
import { widgetDirectory } from '../../packages/bff/src/http/static-files.ts';

export const groups = ['static files', 'health', 'pages', 'JSON'] as const;

export type Group = (typeof groups)[number];

export interface Target {
  readonly name: string;
  readonly group: Group;
  readonly method: string;
  /** With its query, relative to the BFF's public URL. */
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  /** Whether the attacker sends the cookie of a live session. */
  readonly isSignedIn?: boolean;
}

type EndpointName = keyof typeof endpoints;

const forum = 'news';
const syncReturn = { code: 'invented', username: 'nobody', user_id: '0', audiencesync_uri: 'https://service.example/complete' };

const bodies: Partial<Record<EndpointName, object>> = {
  syncStart: syncReturn,
  syncValidation: { sync: 'invented', username: 'nobody', answers: {} },
  syncCancel: { sync: 'invented' },
  posts: { forum, message: 'A post of the attacker' },
};

const queries: Partial<Record<EndpointName, Readonly<Record<string, string>>>> = {
  syncAuthorize: { forum },
  syncReturn,
  comments: { forum },
};

const pages: readonly EndpointName[] = ['syncAuthorize', 'syncReturn', 'syncForm', 'comments'];
const health: readonly EndpointName[] = ['health', 'readiness'];

/** Endpoints for readers with a session. */
const signedIn: readonly EndpointName[] = ['session', 'posts'];

export async function findTargets(): Promise<readonly Target[]> {
  const files = await readdir(widgetDirectory());
  const versioned = files.find((file) => /^widget-.+\.js$/.test(file));
  const asset = (await readdir(`${widgetDirectory()}/assets`)).find((file) => file.endsWith('.js'));
  if (versioned === undefined || asset === undefined) throw new Error('The widget is not built; run npm run build.');
  return [
    { name: 'widget.js', group: 'static files', method: 'GET', path: '/widget.js' },
    { name: 'widget-*.js', group: 'static files', method: 'GET', path: `/${versioned}` },
    { name: 'assets', group: 'static files', method: 'GET', path: `/assets/${asset}` },
    { name: 'a missing asset', group: 'static files', method: 'GET', path: '/assets/missing.js' },
    { name: 'an unknown path', group: 'pages', method: 'GET', path: '/unknown' },
    ...Object.entries(endpoints).map(([name, endpoint]) => targetOf(name as EndpointName, endpoint)),
  ];
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
    isSignedIn: signedIn.includes(name),
    ...(body && { body: JSON.stringify(body) }),
  };
}
