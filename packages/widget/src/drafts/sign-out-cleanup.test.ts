import { expect } from '@open-wc/testing';
import { removeExpiredRecords } from './sign-out-cleanup.ts';

const DAY_MS = 24 * 60 * 60_000;

afterEach(() => localStorage.clear());

describe('removeExpiredRecords', () => {
  it('removes drafts after 30 days, own posts after one, and invalid records', () => {
    const store = (name: string, record: unknown): void => {
      localStorage.setItem(`vestibule:${name} https://bff.example/ 42 news https://www.example.com/a`, typeof record === 'string' ? record : JSON.stringify(record));
    };
    const ago = (days: number): number => Date.now() - days * DAY_MS;
    for (const [index, invalid] of ['{', 'null', '7', '[]', '{}'].entries()) store(`draft ${index}`, invalid);
    store('draft old', { text: 'old', updatedAt: ago(31) });
    store('draft new', { text: 'new', updatedAt: ago(29) });
    store('posts old', [{ message: 'old', at: ago(2) }]);
    store('posts new', [{ message: 'old', at: ago(2) }, { message: 'new', at: ago(0.5) }]);
    removeExpiredRecords();
    expect(Object.values({ ...localStorage } as Record<string, string>).map((record) => /new/.test(record))).to.deep.equal([true, true]);
  });
});
