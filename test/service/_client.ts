/** A client for the tests of the emulated service. Each step of a request can be altered to see the service refuse it. */

import { randomBytes } from 'node:crypto';
import { startEmulatedService, type EmulatedService } from './emulated-service.ts';
import type { ServiceOptions } from './options.ts';
import { paths } from './paths.ts';
import { expectedMac } from './signature.ts';

export const REDIRECT_URI = 'https://www.example.com/vestibule/sync/return?verify=1';

export function startService(options: ServiceOptions = {}): Promise<EmulatedService> {
  return startEmulatedService({ redirectUris: [REDIRECT_URI], publisherName: 'The Example', ...options });
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. */
  readonly json: Record<string, unknown>;
}

export async function request(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text) as Record<string, unknown>;
    },
  };
}

export type FormBody = Record<string, string> | [string, string][] | string;

export function postForm(url: string, params: FormBody, headers: Record<string, string> = {}): Promise<Answer> {
  return request(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof params === 'string' ? params : new URLSearchParams(params).toString(),
  });
}

export interface Exchange {
  readonly grant_type: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uri: string;
  readonly code: string;
}

export function exchangeParams(service: EmulatedService, changes: Partial<Exchange> = {}): Exchange {
  return {
    grant_type: 'audiencesync',
    client_id: service.publicKey,
    client_secret: service.secretKey,
    redirect_uri: REDIRECT_URI,
    code: changes.code ?? service.issueReturn({ redirectUri: REDIRECT_URI }).code,
    ...changes,
  };
}

export function exchange(service: EmulatedService, changes: Partial<Exchange> = {}): Promise<Answer> {
  return postForm(service.url + paths.token, { ...exchangeParams(service, changes) });
}

export async function obtainToken(service: EmulatedService): Promise<string> {
  return String((await exchange(service)).json['access_token']);
}

export interface PostOptions {
  readonly params?: readonly (readonly [string, string])[];
  readonly accessToken?: string | undefined;
  readonly timestamp?: string;
  readonly nonce?: string;
  readonly key?: string;
  readonly path?: string;
  readonly signedMethod?: string;
  readonly signedPath?: string;
  readonly host?: string;
  readonly port?: string;
  /** Sent instead of the normalized parameters. */
  readonly body?: string;
  readonly bodyHash?: string;
  readonly mac?: string;
  readonly id?: string;
  readonly headers?: Record<string, string>;
  /** Sent instead of the header that was built. */
  readonly authorization?: string;
}

/** A signed creation of a post, with each step changed as `options` say. */
export function createPost(service: EmulatedService, options: PostOptions = {}): Promise<Answer> {
  const { body, headers } = signPost(service, options);
  return postForm(service.url + (options.path ?? paths.posts), body, headers);
}

/** A signed call of the list of posts. `signedQuery` is signed in place of `query`. */
export function listPosts(service: EmulatedService, query: string, { signedQuery = query, bodyHash = '' } = {}): Promise<Answer> {
  const { hostname: host, port, pathname } = new URL(service.url);
  const nonce = `${Date.now() / 1000}:${randomBytes(16).toString('hex')}`;
  const path = `${pathname.replace(/\/$/, '')}${paths.postList}?${signedQuery}`;
  const { mac } = expectedMac({ method: 'GET', path, host, port, nonce, params: null, key: service.secretKey });
  const authorization = `MAC id="${service.publicKey}", nonce="${nonce}", body-hash="${bodyHash}", mac="${mac}"`;
  return request(`${service.url}${paths.postList}?${query}`, { headers: { Authorization: authorization } });
}

export function signPost(service: EmulatedService, options: PostOptions): { body: string; headers: Record<string, string> } {
  const url = new URL(service.url);
  const nonce = options.nonce ?? `${options.timestamp ?? String(Date.now() / 1000)}:${randomBytes(16).toString('hex')}`;
  const expected = expectedMac({
    method: options.signedMethod ?? 'POST',
    path: options.signedPath ?? url.pathname.replace(/\/$/, '') + (options.path ?? paths.posts),
    host: options.host ?? url.hostname,
    port: options.port ?? url.port,
    nonce,
    params: options.params ?? [['forum', 'news'], ['message', 'Hello']],
    key: options.key ?? service.secretKey,
  });
  const attributes = {
    id: options.id ?? service.publicKey,
    nonce,
    'body-hash': options.bodyHash ?? expected.bodyHash,
    mac: options.mac ?? expected.mac,
    ...(options.accessToken === undefined ? {} : { access_token: options.accessToken }),
  };
  const authorization = options.authorization
    ?? `MAC ${Object.entries(attributes).map(([name, value]) => `${name}="${value}"`).join(', ')}`;
  return { body: options.body ?? expected.normalized, headers: { Authorization: authorization, ...options.headers } };
}
