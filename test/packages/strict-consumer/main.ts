/** A project in TypeScript that has the packages and `@types/node`. It is compiled, never run. */

import { createServer } from 'node:http';
import {
  ConfigError, createVestibule, defineConfig, loadConfig, ProblemError, StoreUnavailableError,
  type Overrides, type PrepareResult, type Profiles, type Store, type StoredEntry,
  type ValidateContext, type ValidationField, type ValidationResult, type Vestibule, type VestibuleConfig,
} from '@vestibule/bff';
import { endpoints, type SessionView, type User } from '@vestibule/shared';
import '@vestibule/widget/define';
import { VestibuleBeforePostEvent, type VestibuleComments, type VestibuleCount } from '@vestibule/widget';

const age: ValidationField = { name: 'age', type: 'number', label: { en: 'Your age' }, min: 18, onFail: 'reject' };

const validate = ({ answers, user, signal }: ValidateContext): ValidationResult => {
  signal.throwIfAborted();
  return answers['age'] === 18 ? { ok: true } : { ok: false, reason: user.username };
};

export const questions: Partial<VestibuleConfig> = defineConfig({
  validation: { fields: [age], validate, async onAccepted({ service, user }) { await service.request('GET', '/me', { id: user.user_id }); } },
  posts: {
    prepare: ({ page }): PrepareResult => (page === undefined ? { ok: false, reason: 'No article.' } : { ok: true, params: { thread: page } }),
    list: () => ({ posts: [] }),
  },
});

export const file: Partial<VestibuleConfig> = defineConfig({ hookTimeoutMs: 5_000 });

// @ts-expect-error -- no setting
export const mistaken: Partial<VestibuleConfig> = { publicUrl: 'https://www.example.com', sites: [] };

export const fetched = (vestibule: Vestibule, request: Request): Promise<User | undefined> => vestibule.getSession(request);

/** A store of the project's own, which fails. */
class FailingStore implements Pick<Store, 'get'> {
  get(key: string): Promise<StoredEntry | undefined> {
    return Promise.reject(new StoreUnavailableError(new ProblemError('internal-error', { detail: key })));
  }
}

export async function serve(overrides: Overrides, given?: VestibuleConfig): Promise<Vestibule> {
  const config = given ?? await loadConfig();
  await new FailingStore().get('key');
  const vestibule = await createVestibule(config, { now: Date.now, ...overrides }).catch((error: unknown) => {
    throw error instanceof ConfigError ? new TypeError(error.faults.join()) : error;
  });
  createServer((req, res) => {
    if (req.url === '/me') void vestibule.getSession(req).then((user: User | undefined) => res.end(user?.username));
    else vestibule.router(req, res);
  }).listen(0);
  const profiles: Profiles = vestibule.profiles;
  for await (const { user_id, answers } of profiles.all()) console.log(user_id, answers);
  return vestibule;
}

export const view = (user: User): SessionView => ({ state: 'signed-in', user, limits: { message_max_length: endpoints.session.path.length } });

export const count = (): VestibuleCount => document.createElement('vestibule-count');

export function embed(): VestibuleComments {
  const box = document.createElement('vestibule-comments');
  box.forum = 'news';
  const onBeforePost = (event: VestibuleBeforePostEvent): void => {
    if (event.detail.parent === undefined && event.detail.message.length < 3) event.preventDefault();
  };
  box.addEventListener('vestibule-before-post', onBeforePost);
  box.dispatchEvent(new VestibuleBeforePostEvent('hello'));
  box.addEventListener('vestibule-posted', ({ detail }) => { console.log(detail.post); });
  return box;
}
