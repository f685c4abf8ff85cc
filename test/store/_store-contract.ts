/** The contract of the interface `Store`, as a suite that every store passes. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { StoreUnavailableError, type Store } from '@vestibule/bff';

export interface StoreSubject {
  readonly store: Store;
  /** A lifetime that no test exceeds by itself. */
  readonly briefMs: number;
  /** Lets time pass, by the clock of the store, until an entry written with `lifetimeMs` before this call has expired. */
  outlive(lifetimeMs: number): Promise<void>;
}

const HOUR_MS = 3_600_000;

/** @param open opens an empty store */
export function describeStoreContract(name: string, open: () => Promise<StoreSubject>): void {
  describe(`${name} as a store`, () => {
    let subject: StoreSubject;
    let store: Store;
    let lastKey = 0;
    const newKey = (kind = 'session') => `${kind}:${lastKey += 1}`;

    before(async () => {
      subject = await open();
      store = subject.store;
    });
    after(async () => { await store[Symbol.asyncDispose](); });

    describe('an absent key', () => {
      it('is reported as absent by get and delete', async () => {
        const key = newKey();
        assert.equal(await store.get(key), undefined);
        assert.equal(await store.delete(key), false);
      });

      it('is not created by compareAndSet or touch', async () => {
        const key = newKey();
        assert.equal(await store.compareAndSet(key, '', 'value', HOUR_MS), false);
        assert.equal(await store.touch(key, HOUR_MS), false);
        assert.equal(await store.get(key), undefined);
      });
    });

    describe('get', () => {
      it('returns the value and when it expires', async () => {
        const key = newKey();
        await store.set(key, 'value', HOUR_MS);
        const other = newKey();
        await store.set(other, 'value', 2 * HOUR_MS);
        const [sooner, later] = [await store.get(key), await store.get(other)];
        assert.equal(sooner?.value, 'value');
        const apart = (later?.expiresAt ?? NaN) - (sooner.expiresAt ?? NaN);
        assert.ok(Math.abs(apart - HOUR_MS) < 10_000, `${apart} ms apart`);
      });

      it('returns no expiry for an entry that never expires', async () => {
        const key = newKey();
        await store.set(key, 'value', undefined);
        assert.deepEqual(await store.get(key), { value: 'value', expiresAt: undefined });
      });
    });

    describe('set', () => {
      it('replaces value and expiry', async () => {
        const key = newKey();
        await store.set(key, 'old', HOUR_MS);
        await store.set(key, 'new', undefined);
        assert.deepEqual(await store.get(key), { value: 'new', expiresAt: undefined });
      });

      it('applies concurrent calls in order', async () => {
        const key = newKey();
        await Promise.all(Array.from({ length: 100 }, (_, i) => store.set(key, String(i), HOUR_MS)));
        assert.equal((await store.get(key))?.value, '99');
      });
    });

    describe('expiry', () => {
      it('makes an entry absent to every method', async () => {
        const kind = `expiring${newKey('x').slice(2)}`;
        const keys = Array.from({ length: 6 }, () => newKey(kind));
        await Promise.all(keys.map((key) => store.set(key, 'value', subject.briefMs)));
        await subject.outlive(subject.briefMs);
        assert.deepEqual(await collect(store, `${kind}:`), new Map());
        assert.equal(await store.get(keys[0] as string), undefined);
        assert.equal(await store.delete(keys[1] as string, 'value'), false);
        assert.equal(await store.delete(keys[2] as string), false);
        assert.equal(await store.compareAndSet(keys[3] as string, 'value', 'new', HOUR_MS), false);
        assert.equal(await store.touch(keys[4] as string, HOUR_MS), false);
        assert.equal(await store.setIfAbsent(keys[5] as string, 'new', HOUR_MS), true);
        assert.equal((await store.get(keys[5] as string))?.value, 'new');
        for (const key of keys.slice(0, 5)) assert.equal(await store.get(key), undefined);
      });

      it('is changed by touch, which keeps the value', async () => {
        const key = newKey();
        await store.set(key, 'a:value', subject.briefMs);
        assert.equal(await store.touch(key, HOUR_MS), true);
        await subject.outlive(subject.briefMs);
        const entry = await store.get(key);
        assert.equal(entry?.value, 'a:value');
        await store.set(newKey(), 'value', HOUR_MS);
        const now = (await store.get(`session:${lastKey}`))?.expiresAt ?? NaN;
        assert.ok(Math.abs(now - (entry.expiresAt ?? NaN)) < HOUR_MS / 2);
      });

      it('is set by touch on an entry without one', async () => {
        const key = newKey();
        await store.set(key, 'value', undefined);
        assert.equal(await store.touch(key, subject.briefMs), true);
        await subject.outlive(subject.briefMs);
        assert.equal(await store.get(key), undefined);
      });
    });

    describe('setIfAbsent', () => {
      it('succeeds for one of a hundred concurrent calls', async () => {
        const key = newKey();
        const wrote = await Promise.all(Array.from({ length: 100 }, (_, i) => store.setIfAbsent(key, String(i), HOUR_MS)));
        assert.equal(wrote.filter(Boolean).length, 1);
        assert.equal((await store.get(key))?.value, String(wrote.indexOf(true)));
      });

      it('keeps value and expiry of an existing entry', async () => {
        const key = newKey();
        await store.set(key, 'first', undefined);
        assert.equal(await store.setIfAbsent(key, 'second', HOUR_MS), false);
        assert.deepEqual(await store.get(key), { value: 'first', expiresAt: undefined });
      });
    });

    describe('compareAndSet', () => {
      it('writes if the value is exactly the expected one', async () => {
        const key = newKey();
        await store.set(key, 'a:value', HOUR_MS);
        for (const other of ['', 'a', 'value', 'a:value ', 'A:value']) {
          assert.equal(await store.compareAndSet(key, other, 'new', HOUR_MS), false);
        }
        assert.equal((await store.get(key))?.value, 'a:value');
        assert.equal(await store.compareAndSet(key, 'a:value', 'b:value', HOUR_MS), true);
        assert.equal((await store.get(key))?.value, 'b:value');
      });

      it('succeeds for one of a hundred concurrent calls', async () => {
        const key = newKey();
        await store.set(key, 'first', HOUR_MS);
        const wrote = await Promise.all(Array.from({ length: 100 }, (_, i) => store.compareAndSet(key, 'first', String(i), HOUR_MS)));
        assert.equal(wrote.filter(Boolean).length, 1);
        assert.equal((await store.get(key))?.value, String(wrote.indexOf(true)));
      });

      it('sets and removes the expiry', async () => {
        const [shortened, lifted] = [newKey(), newKey()] as const;
        await Promise.all([store.set(shortened, 'old', HOUR_MS), store.set(lifted, 'old', subject.briefMs)]);
        assert.ok(await store.compareAndSet(shortened, 'old', 'new', subject.briefMs));
        assert.ok(await store.compareAndSet(lifted, 'old', 'new', undefined));
        await subject.outlive(subject.briefMs);
        assert.equal(await store.get(shortened), undefined);
        assert.deepEqual(await store.get(lifted), { value: 'new', expiresAt: undefined });
      });
    });

    describe('delete', () => {
      it('deletes the expected value only', async () => {
        const [key, other] = [newKey(), newKey()];
        await store.set(key, 'value', HOUR_MS);
        await store.set(other, '', undefined);
        for (const expected of ['', 'valu', 'value2', '0']) assert.equal(await store.delete(key, expected), false);
        assert.equal((await store.get(key))?.value, 'value');
        assert.equal(await store.delete(other, 'value'), false);
        assert.deepEqual([await store.delete(key, 'value'), await store.delete(other, '')], [true, true]);
        assert.deepEqual([await store.get(key), await store.get(other)], [undefined, undefined]);
        assert.equal(await store.delete(key, 'value'), false);
      });

      it('wins against concurrent compareAndSet and touch', async () => {
        for (let round = 0; round < 20; round += 1) {
          const key = newKey();
          await store.set(key, 'value', HOUR_MS);
          const late = [() => store.compareAndSet(key, 'value', 'late', HOUR_MS), () => store.touch(key, HOUR_MS)];
          const steps = round % 2 === 0 ? [() => store.delete(key), ...late] : [...late, () => store.delete(key)];
          await Promise.all(steps.map((step) => step()));
          assert.equal(await store.get(key), undefined);
        }
      });
    });

    describe('entries', () => {
      it('yields the entries whose key begins with the prefix', async () => {
        const kind = `many${newKey('x').slice(2)}`;
        const written = new Map(Array.from({ length: 2_345 }, (_, i) => [`${kind}:${i}`, `value ${i}`] as const));
        await Promise.all([...written].map(([key, value], i) => store.set(key, value, i % 2 === 0 ? HOUR_MS : undefined)));
        await store.set(`${kind}`, 'no colon', HOUR_MS);
        await store.set(`${kind};0`, 'a later letter', HOUR_MS);
        await store.set(`other-${kind}:0`, 'another beginning', HOUR_MS);
        assert.deepEqual(await collect(store, `${kind}:`), written);
      });

      it('takes the prefix literally', async () => {
        const kind = `odd${newKey('x').slice(2)}`;
        const prefix = `${kind}*?[a-z]\\^"%_'ü🙂:`;
        await store.set(`${prefix}1`, 'literal', HOUR_MS);
        await store.set(`${kind}xxaü🙂:1`, 'matched by the pattern', HOUR_MS);
        assert.deepEqual(await collect(store, prefix), new Map([[`${prefix}1`, 'literal']]));
      });

      it('can be left before the end', async () => {
        const kind = `left${newKey('x').slice(2)}`;
        await Promise.all(Array.from({ length: 1_200 }, (_, i) => store.set(`${kind}:${i}`, 'value', HOUR_MS)));
        for await (const [key] of store.entries(`${kind}:`)) {
          assert.ok(key.startsWith(`${kind}:`));
          break;
        }
        assert.equal(await store.delete(`${kind}:7`), true);
      });
    });

    describe('keys and values', () => {
      const texts = {
        empty: '',
        'a colon first': ':',
        digits: '12:34:56',
        'every script': 'Ünïcödé 漢字 עברית 🙂👩‍👩‍👧',
        controls: '\u0000 a\u0000b \r\n\t \u001b[31m \u2028',
        quotes: `'"\`\\; DROP TABLE entries; --`,
        'a megabyte': 'ä'.repeat(512 * 1024),
      };
      for (const [what, text] of Object.entries(texts)) {
        it(`are stored unchanged: ${what}`, async () => {
          const key = newKey();
          await store.set(key, text, HOUR_MS);
          assert.equal((await store.get(key))?.value, text);
          assert.equal(await store.touch(key, HOUR_MS), true);
          assert.equal(await store.delete(key, text), true);
        });
      }

      it('may be any text as keys', async () => {
        const kind = `text${newKey('x').slice(2)}`;
        const keys = Object.values(texts).map((text) => `${kind}:${text.slice(0, 1000)}`);
        await Promise.all(keys.map((key, i) => store.set(key, String(i), HOUR_MS)));
        assert.deepEqual(await collect(store, `${kind}:`), new Map(keys.map((key, i) => [key, String(i)])));
      });
    });
  });

  describe(`${name} after it was closed`, () => {
    const failures: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
      get: (store) => store.get('session:1'),
      set: (store) => store.set('session:1', 'value', HOUR_MS),
      setIfAbsent: (store) => store.setIfAbsent('session:2', 'value', HOUR_MS),
      compareAndSet: (store) => store.compareAndSet('session:1', 'value', 'new', HOUR_MS),
      touch: (store) => store.touch('session:1', HOUR_MS),
      delete: (store) => store.delete('session:1'),
      entries: (store) => collect(store, 'session:'),
      ping: (store) => store.ping(),
    };

    it('rejects every call', async () => {
      const { store } = await open();
      await store.set('session:1', 'value', HOUR_MS);
      await store[Symbol.asyncDispose]();
      for (const [method, call] of Object.entries(failures)) {
        await assert.rejects(async () => call(store), StoreUnavailableError, method);
      }
    });
  });
}

async function collect(store: Store, prefix: string): Promise<Map<string, string>> {
  const found: (readonly [string, string])[] = [];
  for await (const entry of store.entries(prefix)) found.push(entry);
  assert.equal(new Set(found.map(([key]) => key)).size, found.length, 'no entry comes twice');
  return new Map(found);
}
