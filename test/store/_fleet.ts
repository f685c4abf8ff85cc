/** A fleet: BFF processes with one configuration on one Redis, with the emulated service; and readers whose requests go to the
 *  process that the test names, in place of a proxy. */

import { randomUUID } from 'node:crypto';
import type { Problem, SessionView, SyncValidation } from '@vestibule/shared';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { CookieJar } from '../lib/cookie-jar.ts';
import { validationOf } from '../lib/validation-of.ts';
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
  /** Of the emulated service. */
  readonly threads?: boolean;
}

export async function startFleet({ store, size = 2, people, settings = {}, threads = false }: FleetOptions): Promise<Fleet> {
  const service = await startEmulatedService({ redirectUris: [REDIRECT_URI], threads, ...(people && { readers: people }) });
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
  readonly #cookies = new CookieJar();

  /** Starts a sign-in. @returns the body of its validation */
  async begin(service: EmulatedService, user: Person, member: Member): Promise<SyncValidation> {
    return validationOf((await this.ask(member, 'POST', '/sync', service.issueReturn({ redirectUri: REDIRECT_URI, user }))).body);
  }

  /** Starts a sign-in at one member and validates it at another. */
  async signIn(service: EmulatedService, user: Person, [startedAt, validatedAt]: readonly [Member, Member]): Promise<void> {
    const { status } = await this.ask(validatedAt, 'POST', '/sync/validation', await this.begin(service, user, startedAt));
    if (status !== 200) throw new Error(`The validation ended with ${status}.`);
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
    const { header: cookies } = this.#cookies;
    try {
      const response = await fetch(`${origin}/vestibule${path}`, {
        method,
        headers: {
          Origin: ORIGIN,
          ...(cookies !== undefined && { Cookie: cookies }),
          ...(json !== undefined && JSON_TYPE),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      const body = response.status === 204 ? {} : await response.json() as Answer['body'];
      this.#cookies.keep(response.headers.getSetCookie());
      const problem = body.type?.replace('urn:vestibule:', '');
      return { status: response.status, headers: response.headers, body, problem, ms: performance.now() - startedAt };
    } catch {
      return { status: 0, headers: new Headers(), body: {}, problem: undefined, ms: performance.now() - startedAt };
    }
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The status of `/readyz`. */
export async function readiness({ origin }: Member): Promise<number> {
  return (await fetch(`${origin}/readyz`)).status;
}
