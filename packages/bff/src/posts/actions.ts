/** The reader's own posts, and likes: `PATCH` and `DELETE /posts/{id}`, `PUT /posts/{id}/like`. Each runs a hook,
 *  which knows whose post it is. The requests are idempotent by nature. */

import * as z from 'zod';
import type { PostAction, PostEdited, PostLiked } from '@vestibule/shared';
import type { Request, Response } from 'express';
import type { Config } from '../config/config.ts';
import type { ActionContext, HookTools } from '../config/types.ts';
import type { HookCall, RunHook } from '../hooks.ts';
import { clientOf, languagesOf, queryOf, requireForum, singleValue } from '../http/request.ts';
import { createUserKeys } from '../lib/identifiers.ts';
import { parseInput, text, upTo } from '../lib/input.ts';
import { localizedText } from '../lib/localize.ts';
import type { Metrics } from '../metrics.ts';
import { ProblemError } from '../problem.ts';
import { shownUser, type Reader, type Sessions } from '../session/session.ts';
import { authorKeys, ENTRY, listedPost, postEntry } from './entry.ts';
import type { PostLists } from './list.ts';
import { parsePage, rejection, requireMessage } from './parse.ts';

const ofArticle = { forum: text, page: text };
const editBody = z.strictObject({ ...ofArticle, message: text, expected_user_id: text.optional() });
const likeBody = z.strictObject({ ...ofArticle, liked: z.boolean('must be true or false'), expected_user_id: text.optional() });
const removeQuery = z.strictObject({ ...ofArticle, expected_key: text.optional() });

/** `.` and `..` are no segment of a path (RFC 3986, 5.2.4). */
const postId = z.strictObject({ id: upTo(256).refine((id) => id !== '.' && id !== '..', 'must not be . or ..') });

const refusals = [
  z.strictObject({ ok: z.literal(false), gone: z.literal(true) }),
  z.strictObject({ ok: z.literal(false), gone: z.literal(false).optional(), reason: localizedText.optional() }),
] as const;
const editResult = z.union([z.strictObject({ ok: z.literal(true), post: postEntry }), ...refusals]);
const removeResult = z.union([z.strictObject({ ok: z.literal(true) }), ...refusals]);
const likeResult = z.union([z.strictObject({ ok: z.literal(true), likes: z.int().nonnegative().nullish() }), ...refusals]);

const REFUSAL = '{ ok: false, reason? } or { ok: false, gone: true }';

export interface ActionHandlersDeps {
  readonly config: Config;
  readonly sessions: Sessions;
  readonly lists: PostLists | undefined;
  readonly runHook: RunHook;
  readonly metrics: Metrics;
}

type Result = z.output<typeof refusals[number]> | { readonly ok: true };

/** What the request names, from a body or a query. */
interface Target {
  readonly forum: string;
  readonly page: string;
  readonly expected_user_id?: string | undefined;
  readonly expected_key?: string | undefined;
}

export function createActionHandlers({ config, sessions, lists, runHook, metrics }: ActionHandlersDeps) {
  const hooks = config.posts;
  const userKeys = createUserKeys(config);
  const keyOf = authorKeys(config);
  return { edit, remove, like };

  async function edit(req: Request, res: Response<PostEdited>): Promise<void> {
    const hook = required(hooks.edit);
    const reader = await sessions.require(req);
    const { message, ...target } = parseInput(editBody, req.body);
    requireMessage(message, config.messageMaxLength);
    const { post } = await act(req, res, 'edit', reader, target, {
      hook, context: { message }, result: editResult, expected: `{ ok: true, post: ${ENTRY} }, ${REFUSAL}`,
      detail: 'This site could not change your comment just now. Please try again.',
    });
    res.json({ listed: { ...listedPost(post, keyOf), state: post.state ?? 'published' } });
  }

  async function remove(req: Request, res: Response): Promise<void> {
    const hook = required(hooks.remove);
    const reader = await sessions.require(req);
    const query = queryOf(req);
    const names = ['forum', 'page', 'expected_key'].map((name) => [name, singleValue(query, name)] as const);
    const target = parseInput(removeQuery, Object.fromEntries(names.filter(([, value]) => value !== undefined)));
    await act(req, res, 'remove', reader, target, {
      hook, context: {}, result: removeResult, expected: `{ ok: true }, ${REFUSAL}`,
      detail: 'This site could not remove your comment just now. Please try again.',
    });
    res.status(204).end();
  }

  async function like(req: Request, res: Response<PostLiked>): Promise<void> {
    const hook = required(hooks.like);
    const reader = await sessions.require(req);
    const { liked, ...target } = parseInput(likeBody, req.body);
    const { likes } = await act(req, res, 'like', reader, target, {
      hook, context: { liked }, result: likeResult, expected: `{ ok: true, likes? }, ${REFUSAL}`,
      detail: 'This site could not count your like just now. Please try again.',
    });
    res.json(likes == null ? {} : { likes });
  }

  /** Checks who acts on what, and runs the hook. The list of the page is read anew afterwards, whatever became of it.
   *  @throws {ProblemError} `forum-not-allowed`, `invalid-request`, `user-changed`, `post-rejected`, `not-found` */
  async function act<C extends object, R extends Result>(
    req: Request, res: Response, action: PostAction, reader: Reader, target: Target,
    call: Omit<HookCall<Omit<ActionContext, keyof HookTools> & C, R>, 'name' | 'context'> & { readonly context: C },
  ): Promise<Extract<R, { ok: true }>> {
    const { id } = parseInput(postId, req.params);
    const forum = requireForum(config.forums, target.forum);
    const page = parsePage(target.page, config.origins);
    const { user } = reader;
    const { expected_user_id = user.user_id, expected_key } = target;
    if (user.proven === false) throw new ProblemError('post-rejected', { detail: UNPROVEN, diagnosis: unproven });
    if (expected_user_id !== user.user_id || (expected_key !== undefined && !userKeys.isKeyOf(expected_key, user.user_id))) {
      const detail = 'Another account is signed in now. Nothing was changed.';
      throw new ProblemError('user-changed', { user: shownUser(reader), detail });
    }
    const expire = () => { lists?.expire({ forum, page }); };
    // And after the response: a host that keeps the list itself changes it then.
    res.once('close', expire);
    return metrics.actions(action).track(async () => {
      const result = await runHook({
        ...call,
        name: `posts.${action}`,
        context: { ...call.context, id, user, forum, page, client: clientOf(req) },
        reader: sessions.hookReader(reader),
      }).finally(expire);
      if (result.ok) return result as Extract<R, { ok: true }>;
      if (result.gone) throw new ProblemError('not-found', { gone: true, detail: 'This comment is no longer there.', diagnosis: gone });
      throw rejection(result.reason, languagesOf(req), `the hook posts.${action} refused`);
    }, () => 'done');
  }
}

const UNPROVEN = 'The comment service does not confirm who you are, so comments cannot be changed here.';
const unproven = { reason: 'the token exchange returned no user_id: the user is not proven', setting: 'the service' };
const gone = { reason: 'the hook answered that the post is gone', setting: 'none; the reader\'s list was older' };

/** @throws {ProblemError} `not-found` */
function required<H>(hook: H | undefined): H {
  if (!hook) throw new ProblemError('not-found', { diagnosis: { reason: 'there is no hook for it', setting: 'VESTIBULE_CONFIG' } });
  return hook;
}
