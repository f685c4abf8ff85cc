/** What a check finds, and the requests of checks. */

import { existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fetch, type RequestInit } from 'undici';
import type { Config } from '../config/config.ts';
import { createDispatcher, proxyStatusOf } from '../service/transport.ts';

/** `warn`: it works, but the operator should act. No message contains a secret. */
const finding = (status: 'ok' | 'warn' | 'fail') => (name: string, message: string) => ({ status, name, message });

export const [ok, warn, fail] = [finding('ok'), finding('warn'), finding('fail')];

export type Finding = ReturnType<typeof ok>;

export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** As of `reasonOf`. */
  readonly reason: string;
  /** The variable that names the proxy in use. */
  readonly proxy: string | undefined;

  constructor(cause: unknown, proxy: string | undefined) {
    super('The request has no response.', { cause });
    this.reason = reasonOf(cause);
    this.proxy = proxy;
  }
}

/** Follows no redirect. @throws {RequestError} */
export async function request(config: Config, url: string, init: RequestInit = {}) {
  const { dispatcher, proxy } = createDispatcher(new URL(url).origin, config.serviceConnectTimeoutMs, 1);
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(config.serviceTimeoutMs), dispatcher });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    throw new RequestError(error, proxy());
  } finally {
    await dispatcher.destroy();
  }
}

/** Why something failed, such as `ECONNREFUSED`. */
function reasonOf(error: unknown): string {
  let cause = error as Error & { readonly code?: unknown };
  while (cause.cause instanceof Error) cause = cause.cause;
  const proxyStatus = proxyStatusOf(cause);
  if (proxyStatus !== undefined) return `the proxy answers ${proxyStatus}`;
  return typeof cause.code === 'string' ? cause.code : cause.name;
}

/** Whether `serve` can create a store file that is not there yet. Tried with a folder that is deleted again: permissions alone do
 *  not tell. */
export function newStoreFinding(path: string): Finding {
  const folder = dirname(path);
  if (!existsSync(folder)) return fail('store', `VESTIBULE_STORE: create the folder ${folder}, owned by the user of the server`);
  try {
    rmdirSync(mkdtempSync(join(folder, '.vestibule-check-')));
    return ok('store', `sqlite at ${path}, which "vestibule serve" creates`);
  } catch (error) {
    return fail('store', `VESTIBULE_STORE: this user cannot write to the folder ${folder} (${reasonOf(error)}): make it owned by the user of the server`);
  }
}

/** Of a store file that another user owns; none otherwise. */
export function ownerFindings(path: string): readonly Finding[] {
  return statSync(path).uid === process.geteuid?.() ? []
    : [warn('store', `${path} belongs to another user: give it to the user of this process alone (mode 0600)`)];
}
