/** The paths of the BFF: one table for everything that depends on a path. It decides whose a request is, and has its label in
 *  logs and metrics, its methods, what its failures count as, and whether they are pages. */

import { endpoints } from '@vestibule/shared';
import type { Logger } from 'pino';
import { warnEach } from '../log.ts';

/** What a failure counts as, in the log and the metrics. */
export type FailedOperation = 'sign-in' | 'post' | 'page' | 'action';

export interface Route {
  /** In logs and metrics: the path of an endpoint, a pattern of the static files, or `other`. A URL may carry a code. */
  readonly label: string;
  /** In upper case; `GET` includes `HEAD`. */
  readonly methods: readonly string[];
  /** By method. */
  readonly operations: Readonly<Record<string, FailedOperation>>;
  /** Browsers navigate to it: failures are pages. */
  readonly isPage: boolean;
  /** It answers at the root too, where orchestrators ask for it. */
  readonly isHealth: boolean;
  /** Static files. */
  readonly isFile: boolean;
}

type EndpointName = keyof typeof endpoints;

const operations: Readonly<Partial<Record<EndpointName, FailedOperation>>> = {
  syncAuthorize: 'sign-in', syncReturn: 'sign-in', syncForm: 'sign-in',
  syncStart: 'sign-in', syncValidation: 'sign-in', syncCancel: 'sign-in',
  posts: 'post', postList: 'page', postConversation: 'page', postEdit: 'action', postRemove: 'action', postLike: 'action',
};
const pages: readonly EndpointName[] = ['syncAuthorize', 'syncReturn', 'syncForm', 'comments'];
const healthChecks: readonly EndpointName[] = ['health', 'readiness'];

const named = Object.entries(endpoints).map(([name, { method, path }]) => ({ name: name as EndpointName, method, path }));

/** By label. */
export const routes: ReadonlyMap<string, Route> = new Map([
  ...[...Map.groupBy(named, ({ path }) => path)].map(([label, methods]): Route => ({
    label,
    methods: methods.map(({ method }) => method),
    operations: Object.fromEntries(methods.flatMap(({ name, method }) => (operations[name] ? [[method, operations[name]]] : []))),
    isPage: methods.some(({ name }) => pages.includes(name)),
    isHealth: methods.some(({ name }) => healthChecks.includes(name)),
    isFile: false,
  })),
  plainRoute('/', ['GET']),
  ...['/widget.js', '/count.js', '/widget-*.js', '/assets/*'].map((label) => ({ ...plainRoute(label, ['GET']), isFile: true })),
].map((route) => [route.label, route]));

/** Of a path that is none of the BFF's. */
export const unknownRoute: Route = plainRoute('other', []);

function plainRoute(label: string, methods: readonly string[]): Route {
  return { label, methods, operations: {}, isPage: false, isHealth: false, isFile: false };
}

const withId = [...routes.values()].filter(({ label }) => label.includes('{id}'))
  .map((route) => ({ route, pattern: new RegExp(`^${route.label.replace('{id}', '[^/]+')}$`) }));

/** @param path relative to the public URL, percent-encoded; a slash at its end is ignored */
export function routeOf(path: string): Route | undefined {
  const bare = path.replace(/(?<=.)\/$/, '');
  return /[*{]/.test(bare) ? undefined : routes.get(bare) ?? withId.find(({ pattern }) => pattern.test(bare))?.route;
}

/** @param path of a static file */
export function fileRoute(path: string): Route | undefined {
  return routes.get(path) ?? routes.get(path.startsWith('/assets/') ? '/assets/*' : '/widget-*.js');
}

/** Makes request targets relative to the public URL. Warns once about a path that is not the public URL's. */
export function createTargets(publicUrl: string, log: Pick<Logger, 'warn'>) {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  const reason = `requests must arrive below ${base || '/'}: mount the router there, and let the proxy keep the path`;
  const warnOnce = warnEach(log);
  return relativeTarget;

  /** @param mountPath what a host application took off, as in `app.use('/vestibule', router)`; otherwise empty
   *  @returns `undefined` for a target that is not below the public URL's path, and is no health endpoint at the root */
  function relativeTarget(given: string, mountPath: string): string | undefined {
    // The absolute form of a request target (RFC 9112, 3.2.2).
    const target = given.replace(/^https?:\/\/[^/?]*/i, '').replace(/^(?!\/)/, '/');
    const isMounted = mountPath !== '';
    const isBelow = target === base || target.startsWith(`${base}/`) || target.startsWith(`${base}?`);
    const route = routeOf(pathOf(target));
    if (isMounted ? mountPath !== base : !isBelow && route && route.label !== '/' && !route.isHealth) {
      warnOnce({ setting: 'VESTIBULE_PUBLIC_URL', reason }, 'the path of a request is not that of the public URL');
    }
    if (isMounted || (!isBelow && route?.isHealth)) return target;
    return isBelow ? target.slice(base.length).replace(/^(?!\/)/, '/') : undefined;
  }
}

/** The path of a request target. */
export function pathOf(target: string): string {
  return target.split('?', 1)[0] as string;
}
