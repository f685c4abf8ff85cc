import { expect } from '@open-wc/testing';
import { PROBLEM_TYPE_PREFIX, problemTypes, type ProblemType } from '@vestibule/shared';
import { BffError } from '../../client/problem.ts';
import { recoveryFor } from './error-recovery.ts';

const recoveryOf = (type: ProblemType): string => (
  recoveryFor(new BffError({ type: `${PROBLEM_TYPE_PREFIX}${type}`, ...problemTypes[type], detail: '' }))
);

describe('recoveryFor', () => {
  for (const [recovery, types] of Object.entries({
    retry: ['invalid-answers', 'payload-too-large', 'internal-error', 'service-unavailable', 'too-many-requests'],
    recover: ['no-sync-in-progress', 'code-already-used', 'outcome-unknown', 'not-signed-in'],
    confirm: ['user-changed'],
    restart: ['user-mismatch', 'service-refused', 'cross-site-request'],
  } satisfies Readonly<Record<string, readonly ProblemType[]>>)) {
    it(`is ${recovery} for ${types.join(', ')}`, () => {
      for (const type of types) expect(recoveryOf(type), type).to.equal(recovery);
    });
  }
});
