/** A sign-in on a store that can fail and a service that can fail, without sockets: for the tests of `sign-in.ts`. */

import type { SyncReturn, User } from '@vestibule/shared';
import { parseConfig } from '../config/config.ts';
import type { VestibuleConfig } from '../config/vestibule-config.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { IdempotencyRecord } from '../posts/idempotency.ts';
import { ReaderData } from '../reader-data.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { TokenGrant } from '../service/token-exchange.ts';
import { SessionManager, type Session } from '../session/session-manager.ts';
import { EncryptedCollection } from '../store/encrypted-collection.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { RecordCipher } from '../store/record-cipher.ts';
import type { Store } from '../store/store.ts';
import { CodeClaims, type CodeClaim } from './code-claims.ts';
import { ProfileCollection, type Profile } from './profiles.ts';
import { SignIn } from './sign-in.ts';
import { SyncTransactions, type SyncRecord } from './sync-transaction.ts';

const SERVICE_URL = 'https://service.example';

const base: VestibuleConfig = {
  serviceUrl: SERVICE_URL,
  publicKey: 'public',
  secretKey: 'secret',
  forums: ['news'],
  publicUrl: 'https://www.example.com/vestibule',
  cookieSecrets: ['a-cookie-secret-of-at-least-32-bytes'],
  store: 'memory:',
};

export type Exchange = (code: string, options?: { readonly partition: string }) => Promise<TokenGrant>;

export interface SignInProcess {
  readonly signIn: SignIn;
  readonly transactions: SyncTransactions;
  readonly codes: CodeClaims;
  readonly sessions: SessionManager;
  readonly profiles: ProfileCollection;
  readonly readers: ReaderData;
}

export interface SignInProcessOptions {
  readonly store: Store;
  readonly exchange: Exchange;
  readonly refusalOf?: ServiceClient['refusalOf'];
  readonly now?: () => number;
  readonly settings?: Partial<VestibuleConfig>;
}

/** Creates the parts of one process of a fleet. */
export function createSignInProcess(options: SignInProcessOptions): SignInProcess {
  const { store, exchange, refusalOf = () => undefined, now = Date.now, settings = {} } = options;
  const config = parseConfig({ ...base, ...settings });
  const cipher = new RecordCipher(config.cookieSecrets);
  const collection = <T>(kind: string) => new EncryptedCollection<T>(kind, { store, cipher, now });
  const lifetimeMs = config.syncSeconds * 1000;
  const records = {
    profiles: collection<Profile>('profile'),
    sessions: collection<Session>('session'),
    syncs: collection<SyncRecord>('sync'),
    posts: collection<IdempotencyRecord>('post'),
  };
  const transactions = new SyncTransactions({ records: records.syncs, leases: collection<string>('lease'), lifetimeMs });
  const sessions = new SessionManager(records.sessions, config, now);
  const profiles = new ProfileCollection(records.profiles, undefined);
  const service = { exchangeCode: exchange, refusalOf } as unknown as ServiceClient;
  const codes = new CodeClaims(collection<CodeClaim>('code'), lifetimeMs + 5_000);
  const signIn = new SignIn({ config, service, sessions, transactions, codes, profiles, now });
  return { signIn, transactions, codes, sessions, profiles, readers: new ReaderData(records) };
}

export const createMemoryStore = (now?: () => number): MemoryStore => new MemoryStore(now && { now });

export const ada: User = { user_id: '31007', username: 'Ada Quill' };
export const mallory: User = { user_id: '666', username: 'mallory' };

export function returnOf(code: string, user: User = ada): SyncReturn {
  return { code, ...user, audiencesync_uri: `${SERVICE_URL}/audiencesync/complete/` };
}

export function grantOf({ user_id, username }: User): TokenGrant {
  return { accessToken: `token-of-${user_id}`, userId: user_id, username };
}

/** The failure of a call that certainly was not made. */
export const notSent = (): ProblemError => new ProblemError('service-unavailable');
