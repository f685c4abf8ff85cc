/** Areas of `npm run test:mutants`: files to change, and the tests that run them in their own process or page. */

export interface MutantArea {
  /** Of StrykerJS: `tap` for Node.js, `elements` (`element-mutant-runner.ts`) for Chromium. */
  readonly runner: 'tap' | 'elements';
  readonly folder: string;
  /** Patterns of paths. */
  readonly files: readonly string[];
  /** Paths, or patterns for `elements`, the fastest first: the first test that fails ends the run of a mutant. */
  readonly tests: readonly string[];
  /** Per cent of the mutants that the tests must notice. */
  readonly goal: number;
}

const bff = 'packages/bff/src';
const widget = 'packages/widget/src';

export const mutantAreas: Readonly<Record<string, MutantArea>> = {
  signing: {
    ...folder('signing'),
    tests: unit('signing/normalize-params', 'signing/sign-request'),
    goal: 97,
  },
  sync: {
    ...folder('sync', ['authorization-attempts', 'code-claims', 'form', 'profiles', 'sign-in', 'sign-in-hooks', 'sync-return', 'sync-transaction']),
    tests: unit(
      'sync/sync-return', 'sync/profiles', 'sync/code-claims', 'sync/form', 'sync/authorization-attempts', 'sync/sign-in-hooks',
      'sync/sync-transaction', 'sync/sign-in',
    ),
    goal: 97,
  },
  'sync-routes': {
    ...folder('sync', ['pages', 'sync-router']),
    tests: [
      ...unit('sync/pages'),
      ...['embedded-variant', 'validation', 'standard-variant', 'sign-in-log', 'headers', 'problems', 'sign-in'].map((name) => `test/bff/${name}.test.ts`),
      'test/metrics/metrics.test.ts',
    ],
    goal: 97,
  },
  session: {
    ...folder('session'),
    tests: unit('session/session-view', 'session/session-manager', 'session/browser-cookies', 'session/reader', 'session/session-router'),
    goal: 97,
  },
  posts: {
    ...folder('posts'),
    tests: unit('posts/new-post', 'posts/prepare-post', 'posts/post-list', 'posts/post-list-router', 'posts/idempotency', 'posts/posts-router'),
    goal: 97,
  },
  store: {
    ...folder('store', ['encrypted-collection', 'memory-store', 'open-store', 'record-cipher', 'redis-address', 'redis-checks', 'secret-rotation', 'sqlite-schema', 'store']),
    tests: unit(
      'store/store', 'store/sqlite-schema', 'store/redis-address', 'store/record-cipher', 'store/encrypted-collection', 'store/secret-rotation',
      'store/redis-checks', 'store/memory-store', 'store/open-store',
    ),
    goal: 97,
  },
  sqlite: {
    // Without `sqlite-worker`: StrykerJS records no coverage in a thread.
    ...folder('store', ['sqlite-batches', 'sqlite-file', 'sqlite-store', 'sqlite-writer']),
    tests: unit('store/sqlite-file', 'store/sqlite-batches', 'store/sqlite-writer', 'store/sqlite-store'),
    goal: 97,
  },
  redis: {
    ...folder('store', ['redis-store', 'redis-rate-limit', 'replicated-writes']),
    tests: [...unit('store/redis-rate-limit', 'store/replicated-writes', 'store/redis-store'), 'test/store/redis-single.test.ts'],
    goal: 97,
  },
  'redis-connection': {
    ...folder('store', ['connect-redis', 'redis-cluster', 'redis-connection', 'redis-sentinel']),
    // Without `redis-open` and the outages, which take longer.
    tests: [...unit('store/redis-connection'), 'test/store/redis-connection.test.ts'],
    goal: 97,
  },
  service: {
    ...folder('service'),
    tests: unit(
      'service/service-clock', 'service/sign-in-urls', 'service/service-response', 'service/signed-sender', 'service/token-exchange',
      'service/http-transport', 'service/service-client', 'service/redact', 'service/operation-policy',
    ),
    goal: 93,
  },
  http: {
    ...folder('http'),
    tests: unit(
      'http/json-body', 'http/admission', 'http/problem-error', 'http/failure-log', 'http/origin-check', 'http/request-log', 'http/cookies',
      'http/request-context',
      'http/problem-response', 'http/size-limits', 'http/rate-limit', 'http/request-input', 'http/static-files', 'http/health-router',
    ),
    goal: 93,
  },
  widget: {
    runner: 'elements',
    folder: widget,
    files: [
      'drafts/*', 'session/*', 'lib/{backoff,sign-in-window,web-url}', 'elements/comments/{*-controller,phase-machine,submission}',
      'elements/sync/*',
    ].map((file) => `${widget}/${file}.ts`),
    // Without the random sequences of `model.test.ts`, and the slow checks of accessibility.
    tests: [
      'drafts/*', 'lib/*', 'session/*', 'elements/comments/{*-controller,phase-machine,submission}', 'elements/sync/!(vestibule-*)',
      'elements/comments/!(accessibility|model|*-controller|phase-machine|submission)', 'elements/sync/vestibule-sync.!(accessibility)',
    ].map((name) => `${widget}/${name}.test.ts`),
    goal: 93,
  },
};

function folder(name: string, files: readonly string[] = ['*']): Pick<MutantArea, 'runner' | 'folder' | 'files'> {
  return { runner: 'tap', folder: `${bff}/${name}`, files: files.map((file) => `${bff}/${name}/${file}.ts`) };
}

function unit(...names: readonly string[]): readonly string[] {
  return names.map((name) => `${bff}/${name}.test.ts`);
}
