/** `POST /api/3.0/posts/create.json` (interface 4.1): a post on behalf of a reader, signed (section 5). */

import { timingSafeEqual } from 'node:crypto';
import type { ServiceContext, StoredPost } from '../context.ts';
import { decodePairs, exactly, ParamsError } from '../params.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { isFormEncoded, onlyHeader, queryOf, type ReceivedRequest } from '../request.ts';
import { expectedMac, parseMacHeader, SignatureError } from '../signature.ts';

/** The codes that the service gives its failures; 0 is success. */
const postCodes = {
  invalidArgument: 2,
  userRequired: 4,
  badSignature: 5,
  wrongMethod: 7,
  notPermitted: 12,
  badAccessToken: 18,
} as const;

class PostRefusal extends Error {
  override readonly name = 'PostRefusal';
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: keyof typeof postCodes, message: string) {
    super(message);
    this.status = status;
    this.code = postCodes[code];
  }
}

export function createPost(context: ServiceContext, request: ReceivedRequest): Reply {
  try {
    if (request.method !== 'POST') throw new PostRefusal(405, 'wrongMethod', 'posts are created by POST');
    const { pairs, nonce, accessToken } = checkSignature(context, request);
    if (accessToken === undefined) throw new PostRefusal(401, 'userRequired', 'a post needs an authenticated user');
    const token = context.grants.token(accessToken);
    if (!context.grants.mayPost(token)) throw new PostRefusal(401, 'badAccessToken', 'the access token is no longer good');
    const { forum, message } = exactly(pairs, ['forum', 'message']);
    if (!context.forums.has(forum)) throw new PostRefusal(403, 'notPermitted', 'forum is not one of yours');
    if (message.trim() === '') throw new PostRefusal(400, 'invalidArgument', 'message is empty');
    return jsonReply(200, { code: 0, response: keepPost(context, { forum, message, nonce, ...token.reader }) });
  } catch (error) {
    if (error instanceof PostRefusal) return refuse(error.status, error.code, error.message);
    if (error instanceof SignatureError) return refuse(401, postCodes.badSignature, error.message);
    if (error instanceof ParamsError) return refuse(400, postCodes.invalidArgument, error.message);
    throw error;
  }
}

function checkSignature(context: ServiceContext, request: ReceivedRequest) {
  if (!isFormEncoded(request)) throw new PostRefusal(400, 'invalidArgument', 'the body is not application/x-www-form-urlencoded');
  if (queryOf(request) !== '') throw new PostRefusal(400, 'invalidArgument', 'the parameters belong in the body');
  const authorization = onlyHeader(request, 'authorization');
  if (authorization === undefined) throw new SignatureError('one Authorization header is needed');
  const header = parseMacHeader(authorization);
  if (header.id !== context.publicKey) throw new SignatureError('id is not known here');

  const nowSeconds = context.serviceNow() / 1000;
  const fault = context.nonces.check(header.nonce, nowSeconds);
  if (fault !== undefined) throw new SignatureError(`nonce is ${fault}`);

  const body = request.body.toString('latin1');
  const pairs = decodePairs(body);
  const { method, path } = request;
  const { host, port } = signedAddress(context);
  const expected = expectedMac({ method, path, host, port, nonce: header.nonce, params: pairs, key: context.secretKey });
  if (body !== expected.normalized) throw new SignatureError('the body is not the normalized parameters');
  if (!isSame(header.bodyHash, expected.bodyHash)) throw new SignatureError('body-hash is not of this body');
  if (!isSame(header.mac, expected.mac)) throw new SignatureError('mac does not match');
  context.nonces.use(header.nonce, nowSeconds);
  return { pairs, nonce: header.nonce, accessToken: header.accessToken };
}

/** Host without the port, and the port that its scheme implies where none is named (interface 5.1, step 4). */
function signedAddress({ url }: ServiceContext): { host: string; port: string } {
  return { host: url.hostname, port: url.port || (url.protocol === 'https:' ? '443' : '80') };
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given, 'latin1'), Buffer.from(expected, 'latin1')];
  return a.length === b.length && timingSafeEqual(a, b);
}

function keepPost(context: ServiceContext, draft: Omit<StoredPost, 'id' | 'receivedAt'>) {
  const post = { ...draft, id: String(5_000_000_001 + context.posts.length), receivedAt: context.now() };
  context.posts.push(post);
  const { id, forum, message, user_id, username } = post;
  return { id, forum, message, author: { user_id, username }, createdAt: new Date(context.serviceNow()).toISOString() };
}

function refuse(status: number, code: number, response: string): Reply {
  const reply = jsonReply(status, { code, response });
  return status === 405 ? { ...reply, headers: { ...reply.headers, Allow: 'POST' } } : reply;
}
