/** Client of the scripted BFF, for tests. */

import type { Form, SessionUser, SessionView } from '@vestibule/shared';
import type { BffScript, LoggedRequest } from '../testing/scripted-bff.ts';

export class TestBff {
  readonly url: string;

  constructor() {
    this.url = `${location.origin}/bff/${crypto.randomUUID()}/`;
  }

  /** Sets the session or the next responses. */
  async set(script: BffScript): Promise<void> {
    await this.#script(script);
  }

  async signIn(user: SessionUser = { user_id: '42', username: 'Ada' }): Promise<void> {
    await this.set({ session: { state: 'signed-in', user, limits: { message_max_length: 10_000 } } });
  }

  async setSession(session: Partial<SessionView>): Promise<void> {
    await this.set({ session: { state: 'anonymous', limits: { message_max_length: 10_000 }, ...session } });
  }

  /** A sign-in waits for the reader, who is shown as `user`. */
  async offer(form: Form = { fields: [] }, session: Partial<SessionView> = { state: 'validating' }): Promise<void> {
    await this.setSession({ ...session, sync: { id: 'sync-of-ada', user: { user_id: '42', username: 'Ada' }, forum: 'news', form } });
  }

  async release(...names: string[]): Promise<void> {
    await this.set({ release: names });
  }

  /** The posts that were created, in their order. */
  async posts(): Promise<readonly Record<string, unknown>[]> {
    return (await this.#script({})).posts;
  }

  /** Requests to `METHOD /path`; all without it. */
  async requests(request?: string): Promise<readonly LoggedRequest[]> {
    const log = await (await fetch(`${this.url}-log`)).json() as LoggedRequest[];
    return log.filter(({ method, path }) => request === undefined || request === `${method} ${path}`);
  }

  async #script(script: BffScript): Promise<{ posts: Record<string, unknown>[] }> {
    const response = await fetch(`${this.url}-script`, { method: 'POST', body: JSON.stringify(script) });
    return await response.json() as { posts: Record<string, unknown>[] };
  }
}
