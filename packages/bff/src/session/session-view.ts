/** Builds the response to `GET /session`. */

import type { SessionView, SyncOffer, User } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import type { Ending } from '../sync/authorization-attempts.ts';
import { localizeForm } from '../sync/form.ts';
import { isNewer, syncIdOf, type FoundSync } from '../sync/sync-transaction.ts';
import type { Session } from './session-manager.ts';

export interface SessionViewParts extends Ending {
  readonly session: Pick<Session, 'user'> | undefined;
  /** Every sign-in of the browser. The newest unfinished one is offered, unless a later one was accepted. */
  readonly syncs: readonly FoundSync[];
  /** BCP 47 tags, best first. */
  readonly languages: () => readonly string[];
}

export function sessionView(
  config: Pick<Config, 'messageMaxLength' | 'validation'>,
  { session, syncs, notice, instance, languages }: SessionViewParts,
): SessionView {
  const newest = syncs.toSorted((a, b) => isNewer(a, b) ? -1 : 1)
    .find(({ record }) => record.state !== 'done' || ('outcome' in record.result && record.result.outcome.outcome === 'accepted'));
  const sync = newest && offer(config, newest, languages);
  return {
    state: session ? 'signed-in' : sync ? 'validating' : 'anonymous',
    ...(session && { user: userOf(session.user) }),
    ...(sync && { sync }),
    ...(notice && { notice }),
    ...(instance !== undefined && { instance }),
    limits: { message_max_length: config.messageMaxLength },
  };
}

function offer({ validation }: Pick<Config, 'validation'>, { key, record }: FoundSync, languages: SessionViewParts['languages']): SyncOffer | undefined {
  if (record.state === 'done') return undefined;
  const { user_id, username, forum } = record;
  const user = record.state === 'granted' ? userOf(record.grant.user) : { user_id, username };
  return { id: syncIdOf(key), user, forum, form: localizeForm(validation.fields, languages()) };
}

function userOf({ user_id, username }: User): User {
  return { user_id, username };
}
