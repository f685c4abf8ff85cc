/** Properties of a reader's text that the widget and the BFF must judge alike. */

/** Length in code points, the unit of every limit of the contract. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether `text` shows nothing: white space, controls, and characters that Unicode lets a renderer leave out
 *  (`Default_Ignorable_Code_Point`, UAX #44), the Braille blank among what looks empty all the same. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}
