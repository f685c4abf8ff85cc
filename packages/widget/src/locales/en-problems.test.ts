import { expect } from '@open-wc/testing';
import { problemTypes } from '@vestibule/shared';
import { problemStrings } from './en-problems.ts';

describe('problemStrings', () => {
  it("has words for every problem of the contract and for the client's own", () => {
    expect(Object.keys(problemStrings).toSorted()).to.deep.equal([...Object.keys(problemTypes), 'network', 'reference'].toSorted());
    for (const [name, words] of Object.entries(problemStrings)) expect(words).to.match(name === 'reference' ? /^[A-Z].*\{id\}$/ : /^[A-Z].*\.$/);
  });
});
