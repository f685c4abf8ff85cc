/** Parsed JSON, and the depth of unparsed JSON: a run of `[` survives `JSON.parse` and overflows the stack of
 *  `JSON.stringify` and of every recursive walk. */

/** Narrows parsed JSON to an object with members. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper than anything the contract or the service's answers hold. */
export const MAX_JSON_DEPTH = 32;

/** Whether the nesting of arrays and objects stays within `limit`. Brackets inside strings do not count. */
export function isWithinJsonDepth(json: string, limit: number = MAX_JSON_DEPTH): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i += 1) {
    const character = json[i];
    if (inString) {
      if (character === '\\') i += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') {
      inString = true;
    } else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > limit) return false;
    } else if (character === ']' || character === '}') {
      depth -= 1;
    }
  }
  return true;
}
