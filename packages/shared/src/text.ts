/** Properties of a reader's text, computed equally in the widget and the BFF. */

/** Length in code points, the unit of every limit of the contract. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether `text` has no visible character: only white space, controls, `Default_Ignorable_Code_Point` (UAX #44) and the Braille
 *  blank. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}
