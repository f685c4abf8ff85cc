/** HTML's `pattern` matched in linear time (RE2). A pattern that RE2 or `RegExp` with the flag `v` refuses is refused. */

import { RE2JS } from 're2js';

const compiled = new Map<string, RE2JS>();

/** @throws {SyntaxError} if the pattern is not valid, or not supported in linear time */
export function compilePattern(source: string): RE2JS {
  const known = compiled.get(source);
  if (known) return known;
  new RegExp(source, 'v');
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(source, RE2JS.DOTALL);
  } catch (cause) {
    throw new SyntaxError('The pattern cannot be matched in linear time.', { cause });
  }
  compiled.set(source, pattern);
  return pattern;
}

export function matchesPattern(source: string, text: string): boolean {
  return compilePattern(source).matches(text);
}
