/** How deep a JSON text nests, told without parsing it: a run of `[` survives `JSON.parse` and overflows the stack of
 *  `JSON.stringify` and of every recursive walk. */

/** Deeper than anything the contract or the service's answers hold. */
export const MAX_JSON_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x5b, 0x7b];

/** Whether the nesting of arrays and objects stays within `limit`. Reads bytes; brackets inside strings do not count. */
export function isWithinJsonDepth(bytes: Uint8Array, limit: number = MAX_JSON_DEPTH): boolean {
  return hasNoMoreThan(limit, bytes) || nestsWithin(limit, bytes);
}

/** Whether there are so few opening brackets, those in strings too, that the depth is out of question: most texts. */
function hasNoMoreThan(limit: number, bytes: Uint8Array): boolean {
  let found = 0;
  for (const bracket of OPENING) {
    for (let at = bytes.indexOf(bracket); at >= 0 && found <= limit; at = bytes.indexOf(bracket, at + 1)) found += 1;
  }
  return found <= limit;
}

function nestsWithin(limit: number, bytes: Uint8Array): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (inString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) {
      inString = true;
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > limit) return false;
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1;
    }
  }
  return true;
}
