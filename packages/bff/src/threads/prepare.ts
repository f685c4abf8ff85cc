/** What `prepare` of a ready-made thread says beside that of the configuration file. */

import type { PostSettings, PrepareContext, PrepareResult } from '../config/types.ts';
import { beforeEffect } from '../hooks/hooks.ts';
import { ProblemError } from '../problem.ts';

type Accepted = Extract<PrepareResult, { readonly ok: true }>;

export const NO_ARTICLE = { en: 'Comments are possible below an article only.', de: 'Kommentare sind nur unter einem Artikel möglich.' };
export const NO_PARENT = { en: 'That comment is no longer there.', de: 'Diesen Kommentar gibt es nicht mehr.' };

/** Of `edit`, `remove` and `like`. */
export const NOT_YOURS = { en: 'This is not possible with this comment.', de: 'Das geht bei diesem Kommentar nicht.' };

/** @param paramsOf parameters of the thread; those of the file win */
export async function prepareBeside(
  own: PostSettings, context: PrepareContext, paramsOf: (accepted: Accepted) => Accepted['params'],
): Promise<PrepareResult> {
  const result = await prepareOwn(own, context);
  // What the file returns is checked by the caller.
  if ((result as PrepareResult | undefined)?.ok !== true) return result;
  const accepted = result as Accepted;
  return { ok: true, params: { ...paramsOf(accepted), ...accepted.params } };
}

/** What the configuration file says of a post, or of a new text for one. Nothing has happened yet. */
export async function prepareOwn(own: PostSettings, context: PrepareContext): Promise<PrepareResult> {
  try {
    return own.prepare ? await own.prepare(context) : { ok: true };
  } catch (error) {
    throw error instanceof ProblemError ? beforeEffect(error) : error;
  }
}
