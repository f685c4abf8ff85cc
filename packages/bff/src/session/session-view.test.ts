import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { syncIdOf, type FoundSync, type SyncRecord } from '../sync/sync-transaction.ts';
import { sessionView } from './session-view.ts';

const ada = { user_id: '31007', username: 'Ada Quill' };
const label = { en: 'Your age', de: 'Ihr Alter' };
const config = {
  messageMaxLength: 280,
  validation: { fields: [{ name: 'age', type: 'number', label, required: false }] },
} as unknown as Parameters<typeof sessionView>[0];

const base = { ...ada, code: 'code', audiencesync_uri: 'https://service.example/complete/', forum: 'news', revision: 'r' };

function found(key: string, record: object): FoundSync {
  return { key, stored: '', expiresAt: undefined, record: record as SyncRecord } as FoundSync;
}

const validating = (sequence: number) => found(`key-${sequence}`, { ...base, sequence, state: 'validating' });
const done = (sequence: number, result: object) => found(`key-${sequence}`, { sequence, state: 'done', result, revision: 'r' });
const accepted = { outcome: { outcome: 'accepted', redirect: 'https://service.example/' } };
const rejected = { outcome: { outcome: 'rejected', redirect: 'https://service.example/' } };
const failed = { problem: 'outcome-unknown', detail: 'detail' };

const offerOf = (sequence: number) => ({
  id: syncIdOf(`key-${sequence}`), user: ada, forum: 'news',
  form: { fields: [{ name: 'age', type: 'number', label: 'Your age', required: false }] },
});

const view = (parts: Partial<Parameters<typeof sessionView>[1]>) => (
  sessionView(config, { session: undefined, syncs: [], languages: () => [], ...parts })
);

const limits = { message_max_length: 280 };

describe('sessionView', () => {
  it('has the limits only for an anonymous reader', () => {
    assert.deepEqual(view({}), { state: 'anonymous', limits });
  });

  it('has the public members of the user of a session', () => {
    const session = { user: { ...ada, proven: false } } as unknown as NonNullable<Parameters<typeof sessionView>[1]['session']>;
    assert.deepEqual(view({ session }), { state: 'signed-in', user: ada, limits });
  });

  it('offers an unfinished sign-in, also beside a session', () => {
    assert.deepEqual(view({ syncs: [validating(1)] }), { state: 'validating', sync: offerOf(1), limits });
    assert.deepEqual(view({ session: { user: ada }, syncs: [validating(1)] }), { state: 'signed-in', user: ada, sync: offerOf(1), limits });
  });

  it('offers the newest one', () => {
    assert.deepEqual(view({ syncs: [validating(2), validating(10), validating(9)] }).sync, offerOf(10));
  });

  it('shows the proven user of a sign-in that is granted, and the user of the return before', () => {
    const proven = { user_id: '31007', username: 'Proven' };
    const granted = found('key-1', { ...base, sequence: 1, state: 'granted', sessionId: 's', grant: { accessToken: 't', user: { ...proven, proven: true } } });
    assert.deepEqual(view({ syncs: [granted] }).sync?.user, proven);
    const exchanging = found('key-1', { ...base, sequence: 1, state: 'exchanging' });
    assert.deepEqual(view({ syncs: [exchanging] }).sync?.user, ada);
  });

  it('offers none that is older than an accepted one', () => {
    assert.deepEqual(view({ syncs: [validating(1), done(2, accepted)] }), { state: 'anonymous', limits });
    assert.deepEqual(view({ syncs: [validating(3), done(2, accepted)] }).sync, offerOf(3));
  });

  it('offers an older one after a sign-in that ended otherwise', () => {
    for (const result of [rejected, failed]) assert.deepEqual(view({ syncs: [validating(1), done(2, result)] }).sync, offerOf(1));
    assert.deepEqual(view({ syncs: [done(2, rejected)] }), { state: 'anonymous', limits });
  });

  it('has the questions in the language of the reader', () => {
    assert.equal(view({ syncs: [validating(1)], languages: () => ['de-AT'] }).sync?.form.fields[0]?.label, 'Ihr Alter');
  });

  it('has the notice, and the reference of the request that it comes from', () => {
    assert.deepEqual(view({ notice: 'declined' }), { state: 'anonymous', notice: 'declined', limits });
    const instance = 'urn:vestibule:request:1';
    assert.deepEqual(view({ notice: 'declined', instance }), { state: 'anonymous', notice: 'declined', instance, limits });
  });
});
