/** The reader's own posts, and likes: `PATCH` and `DELETE /posts/{id}`, `PUT /posts/{id}/like`. Each runs a hook,
 *  which knows whose post it is. The requests are idempotent by nature. */

import * as z from 'zod';
import type { PostAction, PostEdited, PostLiked } from '@vestibule/shared';
import type { Request, Response } from 'express';
import type { Config } from '../config/config.ts';
import type { HookContext, HookResult, Hooks } from '../hooks/hooks.ts';
import { clientOf, languagesOf, queryOf, valuesOf } from '../http/request.ts';
import type { KeyedHashes } from '../lib/identifiers.ts';
import { commentId, parseInput, requireForum, text } from '../input.ts';
import type { Metrics } from '../metrics.ts';
import { ProblemError } from '../problem.ts';
import { shownUser, type Reader, type Sessions } from '../session/session.ts';
import { listedPost } from '../posts/entry.ts';
import { parsePage, rejection, requireMessage } from '../posts/parse.ts';

const ofArticle = { forum: text, page: text };
const editBody = z.strictObject({ ...ofArticle, message: text, expected_user_id: text.optional() });
const likeBody = z.strictObject({ ...ofArticle, liked: z.boolean('must be true or false'), expected_user_id: text.optional() });
const removeQuery = z.strictObject({ ...ofArticle, expected_key: text.optional() });

const postId = z.strictObject({ id: commentId });

export interface ActionHandlersDeps {
  readonly config: Config;
  readonly sessions: Sessions;
  readonly hooks: Hooks;
  readonly userKeys: KeyedHashes;
  readonly metrics: Metrics;
}

/** What the request names, from a body or a query. */
interface Target {
  readonly forum: string;
  readonly page: string;
  readonly expected_user_id?: string | undefined;
  readonly expected_key?: string | undefined;
}

export function createActionHandlers({ config, sessions, hooks, userKeys, metrics }: ActionHandlersDeps) {
  return { edit, remove, like };

  async function edit(req: Request, res: Response<PostEdited>): Promise<void> {
    const reader = await requireReader(req, 'edit');
    const { message, ...target } = parseInput(editBody, req.body);
    requireMessage(message, config.messageMaxLength);
    const { post } = await act(req, 'edit', { ...checked(req, reader, target), message }, reader);
    res.json({ listed: { ...listedPost(post, userKeys.keyOf), state: post.state ?? 'published' } });
  }

  async function remove(req: Request, res: Response): Promise<void> {
    const reader = await requireReader(req, 'remove');
    const target = parseInput(removeQuery, valuesOf(queryOf(req)));
    await act(req, 'remove', checked(req, reader, target), reader);
    res.status(204).end();
  }

  async function like(req: Request, res: Response<PostLiked>): Promise<void> {
    const reader = await requireReader(req, 'like');
    const { liked, ...target } = parseInput(likeBody, req.body);
    const { likes } = await act(req, 'like', { ...checked(req, reader, target), liked }, reader);
    res.json(likes == null ? {} : { likes });
  }

  /** @throws {ProblemError} `not-found` without the hook, `not-signed-in` */
  async function requireReader(req: Request, action: PostAction): Promise<Reader> {
    if (!hooks.has(`posts.${action}`)) {
      throw new ProblemError('not-found', { diagnosis: { reason: 'there is no hook for it', setting: 'VESTIBULE_CONFIG' } });
    }
    return sessions.require(req);
  }

  /** Who acts on what. @throws {ProblemError} `forum-not-allowed`, `invalid-request`, `user-changed`, `post-rejected` */
  function checked(req: Request, reader: Reader, target: Target) {
    const { id } = parseInput(postId, req.params);
    const forum = requireForum(config.forums, target.forum);
    const page = parsePage(target.page, config.origins);
    const { user } = reader;
    const { expected_user_id = user.user_id, expected_key } = target;
    if (user.proven === false) throw new ProblemError('post-rejected', { diagnosis: unproven });
    if (expected_user_id !== user.user_id || (expected_key !== undefined && !userKeys.isKeyOf(expected_key, user.user_id))) {
      const detail = 'Another account is signed in now. Nothing was changed.';
      throw new ProblemError('user-changed', { user: shownUser(reader), detail });
    }
    return { id, user, forum, page, client: clientOf(req) };
  }

  /** Runs the hook. @throws {ProblemError} `post-rejected`, `not-found`, those of the hook */
  async function act<A extends PostAction>(
    req: Request, action: A, context: HookContext<`posts.${A}`>, reader: Reader,
  ): Promise<Extract<HookResult<`posts.${A}`>, { readonly ok: true }>> {
    return metrics.actions(action).countOutcomeOf(async () => {
      const result: Result = await hooks.run(`posts.${action}`, context, sessions.callerOf(reader));
      if (result.ok) return result as Extract<HookResult<`posts.${A}`>, { readonly ok: true }>;
      if (result.gone) throw new ProblemError('not-found', { gone: true, detail: 'This comment is no longer there.', diagnosis: gone });
      throw rejection(result.reason, languagesOf(req), config, `posts.${action} refused`);
    }, () => 'done');
  }
}

type Result = HookResult<`posts.${PostAction}`>;

const unproven = { reason: 'the token exchange returned no user_id: the user is not proven', setting: 'the service' };
const gone = { reason: 'the hook answered that the post is gone', setting: 'none; the reader\'s list was older' };
