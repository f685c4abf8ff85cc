/** Everything that the store holds about one reader: the profile, sessions, sign-ins and posts, all of them records that only
 *  decryption attributes to a reader. Reads every record of these kinds. */

import type { Post } from '@vestibule/shared';
import type { IdempotencyRecord } from './posts/idempotency.ts';
import type { Session } from './session/session-manager.ts';
import type { EncryptedCollection } from './store/encrypted-collection.ts';
import type { Profile } from './sync/profiles.ts';
import type { SyncRecord, SyncState } from './sync/sync-transaction.ts';

export interface ReaderCollections {
  readonly profiles: EncryptedCollection<Profile>;
  readonly sessions: EncryptedCollection<Session>;
  readonly syncs: EncryptedCollection<SyncRecord>;
  readonly posts: EncryptedCollection<IdempotencyRecord>;
}

/** Without access tokens and codes. */
export interface ExportedReader {
  readonly user_id: string;
  readonly profile?: Profile;
  /** Profiles of users that only claimed this id: possibly another person's. */
  readonly unproven_profiles?: readonly Profile[];
  readonly sessions: readonly { readonly username: string; readonly signed_in_at: string }[];
  readonly sign_ins: readonly { readonly state: SyncState; readonly username?: string; readonly forum?: string }[];
  /** `post`: the service's record. Absent while a post is in progress, and if it was refused. */
  readonly posts: readonly { readonly post?: Post }[];
}

/** Deleted records by kind. `undecryptable`: records that may be the reader's or another's, and stay. */
export type DeletedRecords = Readonly<Record<keyof ReaderCollections | 'undecryptable', number>>;

export class ReaderData {
  readonly #collections: ReaderCollections;

  constructor(collections: ReaderCollections) {
    this.#collections = collections;
  }

  /** @throws {UndecryptableRecordsError} */
  async export(userId: string): Promise<ExportedReader> {
    const { profiles, sessions, syncs, posts } = this.#collections;
    const found = await profiles.findMatching(isProfileOf(userId));
    const profile = found.find(({ proven }) => proven !== false);
    const unproven = found.filter(({ proven }) => proven === false);
    return {
      user_id: userId,
      ...(profile && { profile }),
      ...(unproven.length > 0 && { unproven_profiles: unproven }),
      sessions: (await sessions.findMatching(isSessionOf(userId))).map(({ user, signedInAt }) => (
        { username: user.username, signed_in_at: new Date(signedInAt).toISOString() }
      )),
      sign_ins: (await syncs.findMatching(isSyncOf(userId))).map((sync) => (
        { state: sync.state, ...(sync.state !== 'done' && { username: sync.username, forum: sync.forum }) }
      )),
      posts: (await posts.findMatching(isPostOf(userId))).map((record) => (
        record.state === 'done' && 'post' in record.result ? { post: record.result.post } : {}
      )),
    };
  }

  /** Signs the reader out everywhere. Repeats until nothing is left. A post in progress stores its outcome afterwards, for as
   *  long as the key of a post is remembered. */
  async delete(userId: string): Promise<DeletedRecords> {
    const { profiles, sessions, syncs, posts } = this.#collections;
    const total = { profiles: 0, sessions: 0, syncs: 0, posts: 0, undecryptable: 0 };
    for (let found = Infinity; found > 0;) {
      // Sign-ins first: one without its record keeps no profile and no session.
      const foundSyncs = await syncs.deleteMatching(isSyncOf(userId));
      const foundSessions = await sessions.deleteMatching(isSessionOf(userId));
      const foundProfiles = Number(await profiles.delete(userId)) + (await profiles.deleteMatching(isProfileOf(userId))).deleted;
      const foundPosts = await posts.deleteMatching(isPostOf(userId));
      total.syncs += foundSyncs.deleted;
      total.sessions += foundSessions.deleted;
      total.profiles += foundProfiles;
      total.posts += foundPosts.deleted;
      total.undecryptable = foundSyncs.undecryptable + foundSessions.undecryptable + foundPosts.undecryptable;
      found = foundSyncs.deleted + foundSessions.deleted + foundProfiles + foundPosts.deleted;
    }
    return total;
  }
}

const isProfileOf = (userId: string) => ({ user_id }: Profile) => user_id === userId;

const isSessionOf = (userId: string) => ({ user }: Session) => user.user_id === userId;

const isPostOf = (userId: string) => ({ user_id }: IdempotencyRecord) => user_id === userId;

/** The claimed user counts too. */
function isSyncOf(userId: string) {
  return (sync: SyncRecord): boolean => {
    if (sync.state !== 'done') return sync.user_id === userId;
    return 'outcome' in sync.result && new URL(sync.result.outcome.completion_url).searchParams.get('user_id') === userId;
  };
}
