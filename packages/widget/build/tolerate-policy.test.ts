import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { tolerate } from './tolerate-policy.ts';

const lit = 'var s=globalThis.trustedTypes,e=s?s.createPolicy("lit-html",{createHTML:t=>t}):void 0;';

/** What becomes of the policy in a page that allows `names`. */
function policyWith(names: readonly string[]): unknown {
  const createPolicy = (name: string) => {
    if (!names.includes(name)) throw new TypeError('refused');
    return name;
  };
  return runInNewContext(`${tolerate(lit)}e`, { trustedTypes: { createPolicy } });
}

describe('tolerate', () => {
  it('asks for the policy by Lit’s name, then by the widget’s own', () => {
    assert.equal(policyWith(['lit-html', 'vestibule']), 'lit-html');
    assert.equal(policyWith(['vestibule']), 'vestibule');
  });

  it('goes on without a policy where the page refuses both', () => {
    assert.equal(policyWith([]), undefined);
  });

  it('does not take a module for Lit’s that makes no policy, or more than one', () => {
    assert.throws(() => tolerate('const e=void 0;'));
    assert.throws(() => tolerate(lit + lit));
  });
});
