import { expect } from '@open-wc/testing';
import { removeStoredAnswers, storeAnswers, readStoredAnswers } from './answer-storage.ts';

const ada = { bff: 'https://www.example.com/vestibule/', forum: 'news', userId: '42' };
const answers = new Map<string, { value: string | boolean }>([['town', { value: 'Bath' }], ['rules', { value: true }]]);

describe('storeAnswers', () => {
  afterEach(() => sessionStorage.clear());

  it('keeps answers for the same reader and forum', () => {
    storeAnswers(ada, answers);
    expect([...readStoredAnswers(ada)]).to.deep.equal([...answers]);
  });

  it('keeps answers for a sign-in without a forum', () => {
    storeAnswers({ ...ada, forum: undefined }, answers);
    expect([...readStoredAnswers({ ...ada, forum: undefined })]).to.deep.equal([...answers]);
  });

  it('returns nothing for another reader, forum or BFF', () => {
    storeAnswers(ada, answers);
    for (const other of [{ userId: '43' }, { forum: 'sports' }, { forum: undefined }, { bff: 'https://other.example/' }]) {
      expect(readStoredAnswers({ ...ada, ...other }).size, JSON.stringify(other)).to.equal(0);
    }
  });

  it('keeps one reader\'s answers at a time', () => {
    storeAnswers(ada, answers);
    storeAnswers({ ...ada, userId: '43' }, answers);
    expect(readStoredAnswers(ada).size).to.equal(0);
  });

  it('keeps nothing after they are dropped', () => {
    storeAnswers(ada, answers);
    removeStoredAnswers(ada);
    expect(sessionStorage.length).to.equal(0);
  });

  it('ignores a record of another script', () => {
    storeAnswers(ada, answers);
    const [key] = Object.keys(sessionStorage);
    for (const foreign of ['', '{', 'null', '[]', '{"forum":"news","userId":"42","answers":{}}', '{"forum":"news","userId":"42","answers":[1,[2,3],[2,"b"],["a",{}]]}']) {
      sessionStorage.setItem(key!, foreign);
      expect(readStoredAnswers(ada).size, foreign).to.equal(0);
    }
  });
});
