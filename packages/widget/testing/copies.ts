/** Other copies of the widget's modules for the element tests: `/copy/{name}/{path}` is the file at `/{path}` under another
 *  address. A request with `?hold={text}` holds those of its copy whose path contains the text, until one with `?release`. */

import type { TestRunnerConfig } from '@web/test-runner';

interface Hold {
  readonly text: string;
  readonly released: PromiseWithResolvers<void>;
}

export function copies(): NonNullable<TestRunnerConfig['middleware']>[number] {
  const holds = new Map<string, Hold>();
  return async (context, next) => {
    const [, name, path] = /^\/copy\/([^/]+)(\/.*)$/.exec(context.path) ?? [];
    if (!name || !path) return next();
    const { hold, release } = context.query;
    if (typeof hold === 'string') holds.set(name, { text: hold, released: Promise.withResolvers() });
    if (release !== undefined) holds.get(name)?.released.resolve();
    const held = holds.get(name);
    if (held && path.includes(held.text)) await held.released.promise;
    context.url = path;
    return next();
  };
}
