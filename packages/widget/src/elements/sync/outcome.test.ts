import { expect } from '@open-wc/testing';
import type { SyncOutcome } from '@vestibule/shared';
import { isOutcome, unusableOutcome } from './outcome.ts';

describe('isOutcome', () => {
  for (const [url, expected] of [
    ['https://service.example/complete?a=1', true], ['http://127.0.0.1:8080/complete', true], ['javascript:alert(1)', false], ['xhttps://service.example/', false],
    ['https-x://service.example/', false], ['/complete', false], ['', false],
  ] as const) {
    it(`is ${expected} for ${JSON.stringify(url)}`, () => {
      expect(isOutcome({ completion_url: url } as SyncOutcome)).to.equal(expected);
    });
  }
});

describe('unusableOutcome', () => {
  it('is a problem of the service\'s response', () => {
    expect(unusableOutcome()).to.deep.equal({
      type: 'urn:vestibule:bad-service-response', title: 'Bad service response', status: 502, retryable: false, detail: 'The sign-in has no address to go on to.',
    });
  });
});
