/** A BFF of one test's own, on the test server. */

import type { SyncValidation } from '@vestibule/shared';
import type { BffScript, LoggedRequest } from '../../../testing/scripted-bff.ts';

let count = 0;

export class ScriptedBff {
  readonly url = new URL(`/bff/sync-${Date.now()}-${count += 1}/`, location.href).href;

  async script(script: BffScript): Promise<void> {
    await fetch(`${this.url}-script`, { method: 'POST', body: JSON.stringify(script) });
  }

  /** Lets answers go that were held under this name. */
  release(name: string): Promise<void> {
    return this.script({ release: [name] });
  }

  async requests(): Promise<LoggedRequest[]> {
    return (await fetch(`${this.url}-log`)).json();
  }

  /** Method and path of every request, in order. */
  async asked(): Promise<string[]> {
    return (await this.requests()).map(({ method, path }) => `${method} ${path}`);
  }

  /** What was sent, in order. */
  async sent(): Promise<unknown[]> {
    return (await this.requests()).filter(({ method }) => method !== 'GET').map(({ body }) => body);
  }

  /** The answers of every validation, in order. */
  async answers(): Promise<unknown[]> {
    const validations = (await this.requests()).filter(({ path }) => path === '/sync/validation');
    return validations.map(({ body }) => (body as SyncValidation).answers);
  }
}
