import { expect } from '@open-wc/testing';
import { regionsOf } from './time-format.ts';

afterEach(() => {
  Reflect.deleteProperty(navigator, 'languages');
});

describe('regionsOf', () => {
  it('prefers the regions of the language that the browser names, of the same script', () => {
    for (const [tag, languages, expected] of [
      ['en', ['en-GB', 'de-AT', 'en'], ['en-GB', 'en', 'en']],
      ['en', ['C', 'en-GB', ''], ['en-GB', 'en']],
      ['fi', ['fil-PH', 'fi-FI'], ['fi-FI', 'fi']],
      ['zh', ['zh-TW', 'zh-HK', 'zh-SG'], ['zh-SG', 'zh']],
      ['zh-Hant', ['zh-CN', 'zh-HK'], ['zh-HK', 'zh-Hant']],
      ['pt-PT', ['pt-BR', 'pt-PT'], ['pt-PT', 'pt-PT']],
    ] as const) {
      Object.defineProperty(navigator, 'languages', { value: languages, configurable: true });
      expect(regionsOf(tag), tag).to.deep.equal(expected);
    }
  });
});
