/** `POST /api/3.0/posts/create.json` (interface 4.1): a post on behalf of a reader, signed (section 5). With the option `threads`
 *  a post may name its `thread`. */

import type { ServiceContext, StoredPost } from '../context.ts';
import { exactly } from '../params.ts';
import type { Reply } from '../reply.ts';
import type { ReceivedRequest } from '../request.ts';
import { ApiRefusal, answerSigned } from './signed-request.ts';

export function createPost(context: ServiceContext, request: ReceivedRequest): Reply {
  return answerSigned(context, request, 'POST', ({ pairs, nonce, token }) => {
    if (!token) throw new ApiRefusal(401, 'userRequired', 'a post needs an authenticated user');
    const { forum, message, thread } = exactly(pairs, ['forum', 'message'], context.threads ? ['thread'] : []);
    if (!context.forums.has(forum)) throw new ApiRefusal(403, 'notPermitted', 'forum is not one of yours');
    if (message.trim() === '') throw new ApiRefusal(400, 'invalidArgument', 'message is empty');
    return { response: publicRecord(keepPost(context, { forum, message, thread, nonce, ...token.reader })) };
  });
}

function keepPost(context: ServiceContext, draft: Omit<StoredPost, 'id' | 'receivedAt' | 'createdAt'>): StoredPost {
  const id = String(5_000_000_001 + context.posts.length);
  const post = { ...draft, id, receivedAt: context.now(), createdAt: new Date(context.serviceNow()).toISOString() };
  context.posts.push(post);
  return post;
}

/** As the service shows a post. */
export function publicRecord({ id, forum, thread, message, user_id, username, createdAt }: StoredPost) {
  return { id, forum, ...(thread !== undefined && { thread }), message, author: { user_id, username }, createdAt };
}
