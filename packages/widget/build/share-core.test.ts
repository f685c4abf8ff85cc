import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { offer, take } from './share-core.ts';

describe('offer', () => {
  it("puts the script's exports where its chunks find them; the first copy wins", () => {
    assert.equal(offer('let R=1,X=2;export{R as n,X};'), 'let R=1,X=2;globalThis[Symbol.for("vestibule.core")]??={n:R,X:X};');
  });

  it('leaves code without exports alone', () => {
    assert.equal(offer('let a=`export{b}`;a()'), 'let a=`export{b}`;a()');
  });
});

describe('take', () => {
  it('takes from the running copy what the chunk would import from the script', () => {
    assert.equal(
      take('import{n as e,t}from"../widget.js";import{a}from"./shared-x.js";e(t)'),
      'const{n:e,t:t}=globalThis[Symbol.for("vestibule.core")];import{a}from"./shared-x.js";e(t)',
    );
  });
});
