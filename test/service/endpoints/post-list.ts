/** `GET /api/3.0/posts/list.json`, signed: the posts of a thread, newest first, and a cursor. Exists with the option `threads`
 *  only: the interface has no such call. */

import type { ServiceContext } from '../context.ts';
import { exactly } from '../params.ts';
import type { Reply } from '../reply.ts';
import type { ReceivedRequest } from '../request.ts';
import { publicRecord } from './posts.ts';
import { ApiRefusal, answerSigned } from './signed-request.ts';

const DEFAULT_LIMIT = '20';

export function listPosts(context: ServiceContext, request: ReceivedRequest): Reply {
  return answerSigned(context, request, 'GET', ({ pairs }) => {
    const { forum, thread, limit = DEFAULT_LIMIT, cursor } = exactly(pairs, ['forum', 'thread'], ['limit', 'cursor']);
    if (!context.forums.has(forum)) throw new ApiRefusal(403, 'notPermitted', 'forum is not one of yours');
    if (!/^[1-9]\d?$|^100$/.test(limit)) throw new ApiRefusal(400, 'invalidArgument', 'limit is not 1 to 100');
    const all = context.posts.filter((post) => post.forum === forum && post.thread === thread).toReversed();
    const start = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
    if (cursor !== undefined && start === 0) throw new ApiRefusal(400, 'invalidArgument', 'cursor is not known');
    const posts = all.slice(start, start + Number(limit));
    const hasMore = start + posts.length < all.length;
    return { cursor: { hasNext: hasMore, next: posts.at(-1)?.id ?? '' }, response: posts.map(publicRecord) };
  });
}
