import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compilePattern, matchesPattern } from './linear-pattern.ts';

const inRegExp = (source: string, text: string) => new RegExp(`^(?:${source})$`, 'v').test(text);

const texts = [
  '', 'a', 'ab', 'AB', 'abc', 'a b', 'a\tb', 'a\u00a0b', 'a\u2003b', 'a\nb', 'a\rb', 'a\u2028b', 'Ünïcode', '🦊', '🦊🦊', '123', '12-34', 'a-b', 'a.b', '1234567',
  'x_y', '\0', '\x01', 'a\\b', 'DE12 3456', 'jane@example.com', '2026-03-01', '[a]', 'a&&b', '--', 'O\'Neil',
];

const patterns = [
  '[a-z]+', '[A-Za-z]+', String.raw`\d{3}`, String.raw`\d{2}-\d{2}`, '.', '..', '.*', String.raw`a\sb`, String.raw`a[\s]b`, String.raw`\S+`, String.raw`\w+`, String.raw`\W+`,
  String.raw`\p{L}+`, String.raw`\P{L}+`, String.raw`[\p{L}\p{N} ]+`, String.raw`\u{1F98A}+`, String.raw`🦊{2}`, '[🦊]', String.raw`\u0061b`, String.raw`(?<first>a)(?:b|c)+`,
  String.raw`[A-Za-z]+(?:[ '\-][A-Za-z]+)*`, String.raw`a\.b`, String.raw`a\\b`, String.raw`\0`, String.raw`\cA`, String.raw`[^a-z]*`, 'a|ab|abc', 'a??b', '^a$', '(a|b)*?', '[\\[\\]a]+',
  'a&&b', '--', String.raw`[\-]+`, String.raw`\bab\b`, '', String.raw`[\d\-]+`, String.raw`a\/?b`,
];

describe('matchesPattern', () => {
  for (const pattern of patterns) {
    it(`agrees with RegExp on ${pattern}`, () => {
      for (const text of texts) assert.equal(matchesPattern(pattern, text), inRegExp(pattern, text), JSON.stringify(text));
    });
  }

  for (const [pattern, text] of [
    [String.raw`([A-Za-z]+[ '\-]?)+`, `${'a'.repeat(999)}!`], ['(a+)+b', 'a'.repeat(1_000)], ['(?:a|a)*c', 'a'.repeat(1_000)],
    [String.raw`(.*)*,(.*)*x`, `${'a,'.repeat(500)}y`],
  ] as const) {
    it(`matches ${pattern} in linear time`, () => {
      compilePattern(pattern);
      const beganAt = performance.now();
      assert.equal(matchesPattern(pattern, text), false);
      assert.ok(performance.now() - beganAt < 500);
    });
  }
});

describe('compilePattern', () => {
  for (const pattern of [
    '(', '[a', '(?=a)b', '(?!a)b', '(?<=a)b', '(?<!a)b', String.raw`(a)\1`, String.raw`(?<n>a)\k<n>`, '[a-z--[b]]', String.raw`[\w--\d]`, String.raw`[\w&&\d]`, '[a[b]]', String.raw`[\p{L}&&\p{ASCII}]`, String.raw`[\q{ab}]`,
    'a{2000}', String.raw`[\S]`,
  ]) {
    it(`refuses ${pattern}`, () => {
      assert.throws(() => compilePattern(pattern), SyntaxError);
    });
  }
});
