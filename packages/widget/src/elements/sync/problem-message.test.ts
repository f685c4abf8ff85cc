import { expect } from '@open-wc/testing';
import { problemTypes, PROBLEM_TYPE_PREFIX, type ProblemType } from '@vestibule/shared';
import { networkProblem } from '../../client/network-problem.ts';
import { problemStrings } from '../../locales/en-problems.ts';
import { syncStrings } from '../../locales/en-sync.ts';
import { problemMessage } from './problem-message.ts';

const words = (type: ProblemType) => problemMessage(
  { type: `${PROBLEM_TYPE_PREFIX}${type}`, ...problemTypes[type], detail: 'the detail' }, syncStrings.problems, problemStrings,
);

describe('problemMessage', () => {
  it('has a message for each problem of the contract and for a missing response', () => {
    for (const type of Object.keys(problemTypes) as ProblemType[]) expect(words(type), type).to.match(/^[A-Z].*\.$/).and.not.equal('the detail');
    expect(problemMessage(networkProblem, syncStrings.problems, problemStrings)).to.equal(problemStrings.network);
  });

  it('has messages about the sign-in where the comment box has messages about a comment', () => {
    for (const type of ['outcome-unknown', 'payload-too-large', 'service-refused', 'bad-service-response'] as const) {
      expect(words(type), type).not.to.match(/comment (was|is too)|this comment/);
    }
  });

  it('shows the BFF\'s detail of an unknown problem', () => {
    for (const type of ['of-tomorrow', 'constructor', '__proto__']) {
      expect(words(type as ProblemType), type).to.equal('the detail');
    }
  });
});
