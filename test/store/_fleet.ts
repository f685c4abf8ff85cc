/** A fleet: BFF processes with one configuration on one Redis, with the emulated service; and readers whose requests go to the
 *  process that the test names, in place of a proxy. */

import { randomUUID } from 'node:crypto';
import type { Problem, SessionView } from '@vestibule/shared';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { VestibuleProcess } from '../lib/vestibule-process.ts';
import { startEmulatedService, type EmulatedService, type Reader as Person } from '../service/index.ts';

const ORIGIN = 'http://www.example.test';
const PUBLIC_URL = `${ORIGIN}/vestibule`;
export const REDIRECT_URI = `${PUBLIC_URL}/sync/return`;

export interface Fleet extends AsyncDisposable {
  readonly service: EmulatedService;
  readonly members: readonly Member[];
}

export interface Member {
  readonly process: VestibuleProcess;
  /** Without a path. */
  readonly origin: string;
}

export interface FleetOptions {
  /** Value of `VESTIBULE_STORE`. */
  readonly store: string;
  readonly size?: number;
  readonly people?: readonly Person[];
  readonly settings?: Readonly<Record<string, string>>;
}

export async function startFleet({ store, size = 2, people, settings = {} }: FleetOptions): Promise<Fleet> {
  const service = await startEmulatedService({ redirectUris: [REDIRECT_URI], ...(people && { readers: people }) });
  const env = { ...fleetSettings(service, store), ...settings };
  const processes = Array.from({ length: size }, () => new VestibuleProcess({ env }));
  const fleet = {
    service,
    members: [] as Member[],
    async [Symbol.asyncDispose]() {
      await Promise.all(processes.map((one) => one[Symbol.asyncDispose]()));
      await service[Symbol.asyncDispose]();
    },
  };
  try {
    for (const process of processes) fleet.members.push({ process, origin: await process.origin() });
    return fleet;
  } catch (error) {
    await fleet[Symbol.asyncDispose]();
    throw error;
  }
}

/** The environment of a member. */
export function fleetSettings(service: EmulatedService, store: string): Readonly<Record<string, string>> {
  return bffEnvironment(service, PUBLIC_URL, { VESTIBULE_RATE_LIMITS: 'off', VESTIBULE_STORE: store });
}

export interface Answer {
  /** 0 if the connection broke. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: Partial<SessionView & Problem> & { readonly post?: unknown };
  /** The short name of the problem. */
  readonly problem: string | undefined;
  readonly ms: number;
}

export class FleetReader {
  readonly #cookies = new Map<string, string>();

  /** Starts the sign-in at one member and validates it at another. */
  async signIn(service: EmulatedService, user: Person, [begunAt, validatedAt]: readonly [Member, Member]): Promise<void> {
    const begun = await this.ask(begunAt, 'POST', '/sync', service.issueReturn({ redirectUri: REDIRECT_URI, user }));
    const sync = { sync: begun.body.sync?.id, username: user.username };
    const validated = await this.ask(validatedAt, 'POST', '/sync/validation', { ...sync, answers: {} });
    if (begun.status !== 201 || validated.status !== 200) throw new Error(`answered with ${begun.status} and ${validated.status}`);
  }

  session(member: Member): Promise<Answer> {
    return this.ask(member, 'GET', '/session');
  }

  post(member: Member, message: string, key: string = randomUUID()): Promise<Answer> {
    return this.ask(member, 'POST', '/posts', { forum: 'news', message }, { 'Idempotency-Key': key });
  }

  async ask(
    { origin }: Member,
    method: string,
    path: string,
    json?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const startedAt = performance.now();
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    try {
      const response = await fetch(`${origin}/vestibule${path}`, {
        method,
        headers: { Origin: ORIGIN, ...(cookies !== '' && { Cookie: cookies }), ...(json !== undefined && JSON_TYPE), ...headers },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      const body = response.status === 204 ? {} : await response.json() as Answer['body'];
      for (const cookie of response.headers.getSetCookie()) this.#store(cookie);
      const problem = body.type?.replace('urn:vestibule:', '');
      return { status: response.status, headers: response.headers, body, problem, ms: performance.now() - startedAt };
    } catch {
      return { status: 0, headers: new Headers(), body: {}, problem: undefined, ms: performance.now() - startedAt };
    }
  }

  #store(setCookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The status of `/readyz`. */
export async function readiness({ origin }: Member): Promise<number> {
  return (await fetch(`${origin}/readyz`)).status;
}
