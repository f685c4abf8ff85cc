/** The signed calls of the service (interface, section 5): `POST /api/3.0/posts/create.json` (4.1), and with the option `threads`
 *  the list of a thread, its details, and changes of a post. Their envelope `{ code, response }` is known from integrations. */

import type { ServiceContext, StoredPost } from './context.ts';
import type { Token } from './grants.ts';
import { html } from './html.ts';
import {
  decodePairs, exactly, formBody, jsonReply, onlyHeader, ParamsError, queryOf, type Pairs, type ReceivedRequest, type Reply,
} from './http.ts';
import { expectedMac, parseMacHeader, SignatureError } from './signature.ts';

/** The codes that the service gives its failures; 0 is success. */
const codes = {
  invalidArgument: 2, userRequired: 4, badSignature: 5, wrongMethod: 7, notFound: 8, notPermitted: 12, badAccessToken: 18,
} as const;

class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: keyof typeof codes, message: string) {
    super(message);
    this.status = status;
    this.code = codes[code];
  }
}

export function createPost(context: ServiceContext, request: ReceivedRequest): Reply {
  return answerSigned(context, request, 'POST', ({ pairs, token }) => {
    if (!token) throw new ApiRefusal(401, 'userRequired', 'a post needs an authenticated user');
    const given = exactly(pairs, ['forum', 'message'], context.threads ? ['thread', 'thread:link', 'parent'] : []);
    const { forum, message, parent, thread = given['thread:link'] } = given;
    checkForum(context, forum);
    if (message.trim() === '') throw new ParamsError('message is empty');
    if (context.closedThreads.has(thread ?? '')) throw new ApiRefusal(403, 'notPermitted', 'thread is closed');
    if (parent !== undefined && !context.posts.some((post) => post.id === parent && post.thread === thread)) {
      throw new ParamsError('parent is not a post of the thread');
    }
    const first = context.realWorldShapes.has('numeric-ids') ? BigInt(Number.MAX_SAFE_INTEGER) : 5_000_000_001n;
    const id = String(first + BigInt(context.posts.length));
    const isHeld = [token.reader.user_id, thread ?? ''].some((one) => context.premoderated.has(one));
    const state = isHeld ? 'held' as const : undefined;
    const createdAt = new Date(context.serviceNow()).toISOString();
    const post = { id, forum, message, thread, parent, ...token.reader, createdAt, state };
    context.posts.push(post);
    return { response: shown(context, post) };
  });
}

/** Changes the text of the token's own post. The same text again is no edit. */
export function updatePost(context: ServiceContext, request: ReceivedRequest): Reply {
  return answerSigned(context, request, 'POST', ({ pairs, token }) => {
    const { post: id, message } = exactly(pairs, ['post', 'message']);
    const post = ownPost(context, id, token);
    if (message.trim() === '') throw new ParamsError('message is empty');
    if (post.message !== message) Object.assign(post, { message, editedAt: new Date(context.serviceNow()).toISOString() });
    return { response: shown(context, post) };
  });
}

/** Removes the token's own post. One with replies stays in the list, without name and text. */
export function removePost(context: ServiceContext, request: ReceivedRequest): Reply {
  return answerSigned(context, request, 'POST', ({ pairs, token }) => {
    const post = ownPost(context, exactly(pairs, ['post']).post, token);
    post.state = 'deleted';
    return { response: { id: post.id } };
  });
}

/** `vote` is 1 for a like and 0 for none. Each account counts once, and not for its own post. */
export function votePost(context: ServiceContext, request: ReceivedRequest): Reply {
  return answerSigned(context, request, 'POST', ({ pairs, token }) => {
    const { post: id, vote } = exactly(pairs, ['post', 'vote']);
    const { user_id } = readerOf(token);
    const post = livePost(context, id);
    if (vote !== '1' && vote !== '0') throw new ParamsError('vote is not 1 or 0');
    if (post.user_id === user_id) throw new ApiRefusal(403, 'notPermitted', 'the post is of this account');
    const others = post.likedBy?.filter((one) => one !== user_id) ?? [];
    post.likedBy = vote === '1' ? [...others, user_id] : others;
    return { response: { vote: Number(vote), post: shown(context, post) } };
  });
}

function readerOf(token: Token | undefined) {
  if (!token) throw new ApiRefusal(401, 'userRequired', 'this call needs an authenticated user');
  return token.reader;
}

function livePost({ posts }: ServiceContext, id: string): StoredPost {
  const post = posts.find((one) => one.id === id);
  if (!post || post.state === 'deleted') throw new ApiRefusal(404, 'notFound', 'the post is not there');
  return post;
}

function ownPost(context: ServiceContext, id: string, token: Token | undefined): StoredPost {
  const { user_id } = readerOf(token);
  const post = livePost(context, id);
  if (post.user_id !== user_id) throw new ApiRefusal(403, 'notPermitted', 'the post is of another account');
  return post;
}

/** The posts of a thread, by default newest first, and a cursor. */
export function listPosts(context: ServiceContext, request: ReceivedRequest): Reply {
  return answerSigned(context, request, 'GET', ({ pairs }) => {
    const { limit = '25', order = 'desc', cursor, ...named } = exactly(pairs, ['forum'], ['thread', 'thread:link', 'limit', 'order', 'cursor']);
    const { forum, thread } = threadNamed(context, named);
    if (!/^[1-9]\d?$|^100$/.test(limit)) throw new ParamsError('limit is not 1 to 100');
    const hasReplies = ({ id }: StoredPost) => context.posts.some(({ parent, state }) => parent === id && state === undefined);
    const isListed = (post: StoredPost) => post.state === undefined || context.realWorldShapes.has('moderation-flags')
      || (post.state === 'deleted' && hasReplies(post));
    const posted = context.posts.filter((post) => post.forum === forum && post.thread === thread && isListed(post));
    const all = order === 'asc' ? posted : posted.toReversed();
    const start = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
    if (cursor !== undefined && start === 0) throw new ParamsError('cursor is not known');
    const posts = all.slice(start, start + Number(limit));
    const hasNext = start + posts.length < all.length;
    return { cursor: { hasNext, next: posts.at(-1)?.id ?? '' }, response: posts.map((post) => shown(context, post)) };
  });
}

/** How many posts of a thread readers see, and whether it takes more. */
export function showThread(context: ServiceContext, request: ReceivedRequest): Reply {
  return answerSigned(context, request, 'GET', ({ pairs }) => {
    const { forum, thread } = threadNamed(context, exactly(pairs, ['forum'], ['thread', 'thread:link']));
    const { length: posts } = context.posts.filter((post) => post.forum === forum && post.thread === thread && !post.state);
    return { response: { id: threadId(context, thread), posts, isClosed: context.closedThreads.has(thread) } };
  });
}

/** A post with its parents, the oldest first. */
export function showContext(context: ServiceContext, request: ReceivedRequest): Reply {
  return answerSigned(context, request, 'GET', ({ pairs }) => {
    const { post: id, depth = '10' } = exactly(pairs, ['post'], ['depth']);
    const chain: StoredPost[] = [];
    for (let one = context.posts.find((post) => post.id === id); one && chain.length <= Number(depth);) {
      chain.unshift(one);
      const { parent } = one;
      one = context.posts.find((post) => post.id === parent);
    }
    if (chain.length === 0) throw new ApiRefusal(404, 'notFound', 'the post is not there');
    return { response: chain.map((post) => shown(context, post)) };
  });
}

export function showPost(context: ServiceContext, request: ReceivedRequest): Reply {
  return answerSigned(context, request, 'GET', ({ pairs }) => {
    const { post: id } = exactly(pairs, ['post']);
    const found = context.posts.find((post) => post.id === id);
    if (!found) throw new ApiRefusal(404, 'notFound', 'the post is not there');
    return { response: shown(context, found) };
  });
}

/** A thread by its id, here its address, or by `thread:link`: it is there from its first post on. */
function threadNamed(
  context: ServiceContext, { forum, thread, 'thread:link': link }: { readonly forum: string; readonly thread?: string; readonly 'thread:link'?: string },
) {
  checkForum(context, forum);
  const named = thread ?? link;
  if (named === undefined) throw new ParamsError('thread is missing');
  if (thread === undefined && !context.closedThreads.has(named) && !context.posts.some((post) => post.thread === named)) {
    throw new ApiRefusal(404, 'notFound', 'the thread is not there');
  }
  return { forum, thread: named };
}

function threadId({ posts, realWorldShapes }: ServiceContext, thread: string): string {
  return realWorldShapes.has('thread-id') ? String(9_000_000_001 + posts.findIndex((other) => other.thread === thread)) : thread;
}

/** TypeScript's library does not have it yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

function checkForum({ forums }: ServiceContext, forum: string): void {
  if (!forums.has(forum)) throw new ApiRefusal(403, 'notPermitted', 'forum is not one of yours');
}

/** As the service shows a post. */
function shown(context: ServiceContext, post: StoredPost) {
  const { realWorldShapes: shapes, threads } = context;
  const { id, forum, thread, parent, message, user_id, username, createdAt, state, editedAt } = post;
  const { likedBy = [], isHighlighted = false } = post;
  const shownId = (one: string) => shapes.has('numeric-ids') ? rawJSON(one) : one;
  const markup = `<p>${html`${message}`.text.replaceAll('\n', '<br>')}</p>`;
  return {
    id: shownId(id),
    forum,
    ...(parent !== undefined && { parent: shownId(parent) }),
    ...(thread !== undefined && { thread: threadId(context, thread) }),
    ...(shapes.has('html-message') ? { message: markup, raw_message: message } : { message }),
    author: shapes.has('author-without-username') ? { name: username } : { id: user_id, user_id, username },
    createdAt: shapes.has('created-at-without-offset') ? createdAt.slice(0, 'YYYY-MM-DDThh:mm:ss'.length) : createdAt,
    ...(threads && { likes: likedBy.length, isHighlighted, ...(editedAt !== undefined && { editedAt }) }),
    ...(state === 'deleted' && { isDeleted: true, author: {}, message: '', ...(shapes.has('html-message') && { raw_message: '' }) }),
    ...(shapes.has('moderation-flags') && { isApproved: state !== 'held', isSpam: state === 'spam', isDeleted: state === 'deleted' }),
  };
}

interface SignedCall {
  readonly pairs: Pairs;
  /** `undefined` without an access token. */
  readonly token: Token | undefined;
}

/** Checks method and signature, calls `respond`, and adds `code` to what it returns or throws. */
function answerSigned(
  context: ServiceContext, request: ReceivedRequest, method: 'GET' | 'POST', respond: (call: SignedCall) => object,
): Reply {
  try {
    if (request.method !== method) throw new ApiRefusal(405, 'wrongMethod', `the method is ${method}`);
    return jsonReply(200, { code: 0, ...respond(checkSignature(context, request)) });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { message: response } = error;
    if (error instanceof ApiRefusal) {
      return jsonReply(error.status, { code: error.code, response }, error.status === 405 ? { Allow: method } : {});
    }
    if (error instanceof SignatureError) return jsonReply(401, { code: codes.badSignature, response });
    if (error instanceof ParamsError) return jsonReply(400, { code: codes.invalidArgument, response });
    throw error;
  }
}

function checkSignature(context: ServiceContext, request: ReceivedRequest): SignedCall {
  const { url, publicKey, secretKey, nonces, grants, serviceNow } = context;
  const { method, path } = request;
  const inQuery = method === 'GET';
  const encoded = inQuery ? queryOf(request) : formBody(request);
  const authorization = onlyHeader(request, 'authorization');
  if (authorization === undefined) throw new SignatureError('one Authorization header is needed');
  const { id, nonce, bodyHash, mac, accessToken } = parseMacHeader(authorization);
  if (id !== publicKey) throw new SignatureError('id is not known here');
  const nowSeconds = serviceNow() / 1000;
  const fault = nonces.check(nonce, nowSeconds);
  if (fault !== undefined) throw new SignatureError(`nonce is ${fault}`);

  const pairs = decodePairs(encoded);
  const { hostname: host, port, protocol } = new URL(url);
  const signed = { method, path, host, port: port || (protocol === 'https:' ? '443' : '80'), nonce, key: secretKey };
  if (encoded !== expectedMac({ ...signed, params: pairs }).normalized) {
    throw new SignatureError(`the ${inQuery ? 'query' : 'body'} is not the normalized parameters`);
  }
  const expected = expectedMac({ ...signed, params: inQuery ? null : pairs });
  if (bodyHash !== expected.bodyHash) throw new SignatureError('body-hash is not of this body');
  if (mac !== expected.mac) throw new SignatureError('mac does not match');
  nonces.use(nonce, nowSeconds);
  if (accessToken === undefined) return { pairs, token: undefined };
  const token = grants.token(accessToken);
  // Posts are taken from the exchange on, unless the process was completed with `success=0`.
  if (!token || token.success === false) throw new ApiRefusal(401, 'badAccessToken', 'the access token is no longer good');
  return { pairs, token };
}
