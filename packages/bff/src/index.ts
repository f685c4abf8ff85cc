/** The BFF as a library. In comments, `interface 4.3` is section 4.3 of the documentation of the service's interface. */

export type { Handler } from './app.ts';
export { createVestibule, type Overrides, type Profiles, type Vestibule } from './vestibule.ts';
export { ConfigError, type VestibuleConfig } from './config/config.ts';
export { defineConfig, loadConfig } from './config/load.ts';
export type {
  AcceptedContext, AcceptedUser, ActionContext, ActionRefusal, ConversationContext, ConversationResult, CountContext,
  CreatedContext, EditResult, EntryAuthor, EntryId, HookClient, HookContext, HookTools, LikeResult, ListContext, ListResult,
  PostEntry, PostHooks, PrepareContext, PrepareResult, RemoveResult, ValidateContext, ValidationHooks, ValidationResult,
} from './config/types.ts';
export type { ValidationField } from './config/fields.ts';
export { ProblemError, type ProblemOptions } from './problem.ts';
export type { LocalizedText } from './lib/text.ts';
export type { Clock } from './lib/time.ts';
export type { ParamValue, SignedRequestOptions, SignedRequests } from './config/types.ts';
export { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from './store/store.ts';
export type { Profile } from './sync/acceptance.ts';
