/** Everything that the store holds about one reader. The sign-ins of the last day are read one by one. */

import { sha256 } from './lib/identifiers.ts';
import type { PostRecord } from './posts/create.ts';
import type { Session } from './session/session.ts';
import type { Entry, Records } from './store/records.ts';
import type { Profile } from './sync/acceptance.ts';
import type { Sync } from './sync/record.ts';

interface ReaderRecords {
  readonly profiles: Records<Profile>;
  readonly sessions: Records<Session>;
  readonly syncs: Records<Sync>;
  readonly posts: Records<PostRecord>;
}

/** Each method @throws {StoreUnavailableError} */
export function createReaderData({ profiles, sessions, syncs, posts }: ReaderRecords) {
  return {
    /** Without access tokens and codes. A profile with `proven: false` is of somebody who claimed the id, possibly another
     *  person. A post is absent while it is in progress, and if it was refused. */
    async export(userId: string) {
      const found = await entriesOf(userId);
      const recordsOf = <T>(entries: readonly Entry<T>[]) => entries.flatMap(({ record }) => record ?? []);
      return {
        user_id: userId,
        profiles: recordsOf(found.profiles),
        sessions: recordsOf(found.sessions).map(({ user, signedInAt }) => ({
          username: user.username,
          signed_in_at: new Date(signedInAt).toISOString(),
        })),
        sign_ins: recordsOf(found.syncs).map(({ state, user, forum }) => ({ state, username: user.username, forum })),
        posts: recordsOf(found.posts).map(({ result }) => (result && 'post' in result ? { post: result.post } : {})),
      };
    },

    /** Signs the reader out everywhere. A post in progress stores its outcome afterwards. */
    async delete(userId: string) {
      const deleted = { profiles: 0, sessions: 0, syncs: 0, posts: 0 };
      // The second round finds what a sign-in completed meanwhile.
      for (const _ of [1, 2]) {
        const found = await entriesOf(userId);
        for (const kind of ['syncs', 'sessions', 'profiles', 'posts'] as const) {
          for (const { remove } of found[kind]) deleted[kind] += Number(await remove());
        }
      }
      return deleted;
    },

    /** Records of the reader, and sign-ins of anybody, that no secret decrypts. */
    async undecryptable(userId: string): Promise<number> {
      const found = [...await profiles.list(sha256(userId)), ...await syncs.list()];
      return found.filter(({ record }) => record === undefined).length;
    },
  };

  async function entriesOf(userId: string) {
    const tag = sha256(userId);
    return {
      profiles: await profiles.list(tag),
      sessions: await sessions.list(tag),
      syncs: (await syncs.list()).filter(({ record }) => record?.user.user_id === userId),
      posts: await posts.list(tag),
    };
  }
}
