/** A client for the tests of the emulated service. Each step of a request can be altered to see the service refuse it. */

import { randomBytes } from 'node:crypto';
import { expectedMac, startEmulatedService, type EmulatedService, type ServiceOptions } from './index.ts';
import { paths } from './http.ts';
import type { SignedRequest } from './signature.ts';

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
  const { status, headers } = response;
  return { status, headers, text, get json() { return JSON.parse(text) as Record<string, unknown>; } };
}

export type Params = Readonly<Record<string, string>>;

export function get(service: EmulatedService, endpoint: keyof typeof paths, params: Params | string): Promise<Answer> {
  return request(`${service.url}${paths[endpoint]}?${new URLSearchParams(params)}`);
}

export function post(
  service: EmulatedService, endpoint: keyof typeof paths, params: Params | string, headers: Params = {},
): Promise<Answer> {
  return request(service.url + paths[endpoint], {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof params === 'string' ? params : new URLSearchParams(params).toString(),
  });
}

export function exchangeParams(service: EmulatedService): Params {
  const { code } = service.issueReturn({ redirectUri: REDIRECT_URI });
  return {
    grant_type: 'audiencesync', client_id: service.publicKey, client_secret: service.secretKey, redirect_uri: REDIRECT_URI, code,
  };
}

export async function obtainToken(service: EmulatedService): Promise<string> {
  return String((await post(service, 'token', exchangeParams(service))).json['access_token']);
}

export interface SignedCall {
  readonly accessToken?: string | undefined;
  readonly params?: readonly (readonly [string, string])[];
  /** Signed instead of what is sent. */
  readonly signed?: Partial<SignedRequest>;
  /** Attributes of the header instead of the honest ones. */
  readonly attributes?: Params;
  /** Sent instead of the header that was built. */
  readonly authorization?: string;
  /** Sent instead of the normalized parameters. */
  readonly encoded?: string;
  readonly headers?: Params;
}

const HELLO = [['forum', 'news'], ['message', 'Hello']] as const;

function sign(service: EmulatedService, call: SignedCall): { encoded: string; headers: Params } {
  const { accessToken, params = HELLO, signed = {}, attributes = {}, authorization, headers } = call;
  const { hostname: host, port, pathname } = new URL(service.url + paths.posts);
  const nonce = attributes['nonce'] ?? `${Date.now() / 1000}:${randomBytes(16).toString('hex')}`;
  const common = { host, port, nonce, key: service.secretKey };
  const { normalized } = expectedMac({ ...common, method: '', path: '', params });
  const { mac, bodyHash } = expectedMac({ ...common, method: 'POST', path: pathname, params, ...signed });
  const built = { id: service.publicKey, nonce, 'body-hash': bodyHash, mac, ...(accessToken && { access_token: accessToken }), ...attributes };
  return {
    encoded: call.encoded ?? normalized,
    headers: { Authorization: authorization ?? `MAC ${Object.entries(built).map(([name, value]) => `${name}="${value}"`).join(', ')}`, ...headers },
  };
}

export function createPost(service: EmulatedService, call: SignedCall = {}): Promise<Answer> {
  const { encoded, headers } = sign(service, call);
  return post(service, 'posts', encoded, headers);
}
