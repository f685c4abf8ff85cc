import { expect } from '@open-wc/testing';
import { dropAnswers, keepAnswers, keptAnswers } from './answer-keep.ts';

const ada = { bff: 'https://www.example.com/vestibule/', forum: 'news', userId: '42' };
const answers = new Map<string, { value: string | boolean }>([['town', { value: 'Bath' }], ['rules', { value: true }]]);

describe('keepAnswers', () => {
  afterEach(() => sessionStorage.clear());

  it('keeps what was written for the same reader and forum', () => {
    keepAnswers(ada, answers);
    expect([...keptAnswers(ada)]).to.deep.equal([...answers]);
  });

  it('shows nothing of it to another reader, in another forum, or towards another BFF', () => {
    keepAnswers(ada, answers);
    for (const other of [{ userId: '43' }, { forum: 'sports' }, { forum: undefined }, { bff: 'https://other.example/' }]) {
      expect(keptAnswers({ ...ada, ...other }).size, JSON.stringify(other)).to.equal(0);
    }
  });

  it('keeps one reader\'s answers at a time', () => {
    keepAnswers(ada, answers);
    keepAnswers({ ...ada, userId: '43' }, answers);
    expect(keptAnswers(ada).size).to.equal(0);
  });

  it('keeps nothing once they are dropped', () => {
    keepAnswers(ada, answers);
    dropAnswers(ada);
    expect(sessionStorage.length).to.equal(0);
  });

  it('takes what another script wrote in its place for nothing', () => {
    keepAnswers(ada, answers);
    const [key] = Object.keys(sessionStorage);
    for (const foreign of ['', '{', 'null', '[]', '{"forum":"news","userId":"42","answers":{}}', '{"forum":"news","userId":"42","answers":[1,[2,3],["a",{}]]}']) {
      sessionStorage.setItem(key!, foreign);
      expect(keptAnswers(ada).size, foreign).to.equal(0);
    }
  });
});
