/** Common to the signed endpoints of the service: the check of a signature (interface, section 5) and the JSON envelope
 *  `{ code, response }` of a response, which is known from integrations. */

import { timingSafeEqual } from 'node:crypto';
import type { ServiceContext } from '../context.ts';
import type { Token } from '../grants.ts';
import { decodePairs, ParamsError, type Pairs } from '../params.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { isFormEncoded, onlyHeader, queryOf, type ReceivedRequest } from '../request.ts';
import { expectedMac, parseMacHeader, SignatureError } from '../signature.ts';

/** The codes that the service gives its failures; 0 is success. */
const codes = {
  invalidArgument: 2,
  userRequired: 4,
  badSignature: 5,
  wrongMethod: 7,
  notPermitted: 12,
  badAccessToken: 18,
} as const;

export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: keyof typeof codes, message: string) {
    super(message);
    this.status = status;
    this.code = codes[code];
  }
}

export interface SignedCall {
  readonly pairs: Pairs;
  readonly nonce: string;
  /** `undefined` without an access token. */
  readonly token: Token | undefined;
}

/** Checks method and signature, calls `respond`, and adds `code` to what it returns or throws. */
export function answerSigned(
  context: ServiceContext, request: ReceivedRequest, method: 'GET' | 'POST', respond: (call: SignedCall) => { readonly response: unknown; readonly cursor?: unknown },
): Reply {
  try {
    if (request.method !== method) throw new ApiRefusal(405, 'wrongMethod', `this is asked by ${method}`);
    return jsonReply(200, { code: 0, ...respond(checkSignature(context, request)) });
  } catch (error) {
    if (error instanceof ApiRefusal) return refuse(error.status, error.code, error.message, method);
    if (error instanceof SignatureError) return refuse(401, codes.badSignature, error.message);
    if (error instanceof ParamsError) return refuse(400, codes.invalidArgument, error.message);
    throw error;
  }
}

function checkSignature(context: ServiceContext, request: ReceivedRequest): SignedCall {
  const inQuery = request.method === 'GET';
  if (!inQuery) requireFormBody(request);
  const authorization = onlyHeader(request, 'authorization');
  if (authorization === undefined) throw new SignatureError('one Authorization header is needed');
  const header = parseMacHeader(authorization);
  if (header.id !== context.publicKey) throw new SignatureError('id is not known here');

  const nowSeconds = context.serviceNow() / 1000;
  const fault = context.nonces.check(header.nonce, nowSeconds);
  if (fault !== undefined) throw new SignatureError(`nonce is ${fault}`);

  const encoded = inQuery ? queryOf(request) : request.body.toString('latin1');
  const pairs = decodePairs(encoded);
  const { method, path } = request;
  const { host, port } = signedAddress(context);
  const signed = { method, path, host, port, nonce: header.nonce, key: context.secretKey };
  const { normalized } = expectedMac({ ...signed, params: pairs });
  if (encoded !== normalized) throw new SignatureError(`the ${inQuery ? 'query' : 'body'} is not the normalized parameters`);
  const expected = expectedMac({ ...signed, params: inQuery ? null : pairs });
  if (!isSame(header.bodyHash, expected.bodyHash)) throw new SignatureError('body-hash is not of this body');
  if (!isSame(header.mac, expected.mac)) throw new SignatureError('mac does not match');
  context.nonces.use(header.nonce, nowSeconds);
  const { nonce, accessToken } = header;
  return { pairs, nonce, token: accessToken === undefined ? undefined : goodToken(context, accessToken) };
}

function requireFormBody(request: ReceivedRequest): void {
  if (!isFormEncoded(request)) throw new ApiRefusal(400, 'invalidArgument', 'the body is not application/x-www-form-urlencoded');
  if (queryOf(request) !== '') throw new ApiRefusal(400, 'invalidArgument', 'the parameters belong in the body');
}

function goodToken({ grants }: ServiceContext, value: string): Token {
  const token = grants.token(value);
  if (!grants.mayPost(token)) throw new ApiRefusal(401, 'badAccessToken', 'the access token is no longer good');
  return token;
}

/** Host without the port, and the port or the default of the scheme (interface 5.1, step 4). */
function signedAddress({ url }: ServiceContext): { host: string; port: string } {
  return { host: url.hostname, port: url.port || (url.protocol === 'https:' ? '443' : '80') };
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given, 'latin1'), Buffer.from(expected, 'latin1')];
  return a.length === b.length && timingSafeEqual(a, b);
}

function refuse(status: number, code: number, response: string, allow?: string): Reply {
  const reply = jsonReply(status, { code, response });
  return status === 405 && allow ? { ...reply, headers: { ...reply.headers, Allow: allow } } : reply;
}
