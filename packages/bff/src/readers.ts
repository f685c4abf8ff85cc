/** Everything that the store holds about one reader: profiles, sessions and posts by the tag of the user, and the sign-ins of the
 *  last day, which are read one by one. */

import { sha256, type UserTags } from './lib/identifiers.ts';
import type { PostRecord } from './posts/idempotency.ts';
import type { Session } from './session/session.ts';
import type { Entry, Records } from './store/records.ts';
import type { Profile } from './sync/profiles.ts';
import type { SyncRecord } from './sync/sync.ts';

export interface ReaderRecords {
  readonly profiles: Records<Profile>;
  readonly sessions: Records<Session>;
  readonly syncs: Records<SyncRecord>;
  readonly posts: Records<PostRecord>;
}

export class ReaderData {
  readonly #records: ReaderRecords;
  readonly #tags: UserTags;

  constructor(records: ReaderRecords, tags: UserTags) {
    this.#records = records;
    this.#tags = tags;
  }

  /** Without access tokens and codes. A profile with `proven: false` is of somebody who claimed the id, possibly another person.
   *  A post is absent while it is in progress, and if it was refused. @throws {StoreUnavailableError} */
  async export(userId: string) {
    const { profiles, sessions, syncs, posts } = await this.#entries(userId);
    const recordsOf = <T>(entries: readonly Entry<T>[]) => entries.flatMap(({ record }) => record ?? []);
    return {
      user_id: userId,
      profiles: recordsOf(profiles),
      sessions: recordsOf(sessions).map(({ user, signedInAt }) => ({
        username: user.username,
        signed_in_at: new Date(signedInAt).toISOString(),
      })),
      sign_ins: recordsOf(syncs).map(({ state, user, forum }) => ({ state, username: user.username, forum })),
      posts: recordsOf(posts).map(({ result }) => (result && 'post' in result ? { post: result.post } : {})),
    };
  }

  /** Signs the reader out everywhere. A post in progress stores its outcome afterwards, for as long as its key is remembered.
   *  @throws {StoreUnavailableError} */
  async delete(userId: string) {
    const deleted = { profiles: 0, sessions: 0, syncs: 0, posts: 0 };
    // The second round finds what a sign-in completed meanwhile.
    for (let round = 0; round < 2; round += 1) {
      const found = await this.#entries(userId);
      for (const kind of ['syncs', 'sessions', 'profiles', 'posts'] as const) {
        for (const { remove } of found[kind]) deleted[kind] += Number(await remove());
      }
    }
    return deleted;
  }

  /** Records of the reader, and sign-ins of anybody, that no secret decrypts. @throws {StoreUnavailableError} */
  async undecryptable(userId: string): Promise<number> {
    const found = [...await this.#records.profiles.list(sha256(userId)), ...await this.#records.syncs.list()];
    return found.filter(({ record }) => record === undefined).length;
  }

  async #entries(userId: string) {
    const { profiles, sessions, syncs, posts } = this.#records;
    const tagged = async <T>(records: Records<T>) => (
      (await Promise.all(this.#tags.tagsOf(userId).map((tag) => records.list(tag)))).flat()
    );
    return {
      profiles: await profiles.list(sha256(userId)),
      sessions: await tagged(sessions),
      syncs: (await syncs.list()).filter(({ record }) => record?.user.user_id === userId),
      posts: await tagged(posts),
    };
  }
}
