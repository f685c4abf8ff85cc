/** Two sites in one process on one store. They have the same keys, secrets, forum, question and pages. */

import { writeFile } from 'node:fs/promises';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';
import { COOKIE_SECRET } from './bff-environment.ts';
import { startProcess, type Running } from './bff-process.ts';
import { freePort } from './free-port.ts';
import { ReaderClient } from './reader.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { runCommand } from './vestibule-process.ts';

export const HOSTS = ['www.courier.example', 'www.gazette.example'] as const;

export type Host = (typeof HOSTS)[number];

export const [COURIER, GAZETTE] = HOSTS;

/** An article that both sites accept, so that nothing but the site differs. */
export const PAGE = `http://${COURIER}/article`;

/** The `cursor` of the list is the same text, too. */
const FILE = `
const list = (paper) => ({ cursor }) => ({
  posts: [{ id: '1', author: { username: paper }, message: cursor ?? 'first', created_at: '2026-01-31T12:00:00Z' }], nextCursor: 'more',
});
const site = (host) => ({
  publicUrl: 'http://' + host + '/vestibule', allowedOrigins: ['http://${COURIER}'],
  posts: { list: list(host), count: ({ pages }) => pages.map(() => host.length) },
});
export default {
  rateLimits: { posts: 2 },
  validation: { fields: [{ name: 'about', type: 'text', label: 'About you' }] },
  sites: [site('${COURIER}'), { ...site('${GAZETTE}'), secretKeyFile: process.env.GAZETTE_KEY }],
};`;

export interface Group extends AsyncDisposable {
  readonly service: EmulatedService;
  readonly env: Readonly<Record<string, string>>;
  readonly bff: Running;
  readonly adminPort: number;
  reader(host: Host): ReaderClient;
  run(...args: string[]): ReturnType<typeof runCommand>;
}

/** @param store Default: an SQLite file */
export async function startGroup(store?: string): Promise<Group> {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startEmulatedService({ redirectUris: HOSTS.map((host) => `http://${host}/vestibule/sync/return`) }));
  const { path } = stack.use(await temporaryDirectory());
  await writeFile(`${path}/config.mjs`, FILE);
  await writeFile(`${path}/key`, `${service.secretKey}\n`);
  const adminPort = await freePort();
  const env = {
    VESTIBULE_SERVICE_URL: service.url, VESTIBULE_PUBLIC_KEY: service.publicKey, VESTIBULE_SECRET_KEY: service.secretKey,
    VESTIBULE_FORUMS: 'news', VESTIBULE_COOKIE_SECRETS: COOKIE_SECRET, VESTIBULE_STORE: store ?? `sqlite:${path}/store.db`,
    VESTIBULE_CONFIG: `${path}/config.mjs`, GAZETTE_KEY: `${path}/key`, VESTIBULE_ADMIN_PORT: String(adminPort), PORT: '0',
    // Never inherited.
    VESTIBULE_PUBLIC_URL: 'http://127.0.0.1/vestibule',
  };
  const bff = stack.use(await startProcess(env));
  const started = stack.move();
  return {
    service, env, bff, adminPort,
    reader: (host) => new ReaderClient({
      server: bff.origin, path: '/vestibule', host, origin: `http://${COURIER}`, redirectUri: `http://${host}/vestibule/sync/return`, service,
    }),
    run: (...args) => runCommand({ args, env }),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}
