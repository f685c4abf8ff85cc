/** The order of texts by the bytes of their UTF-8 form, which is that of their code points. JavaScript compares UTF-16
 *  units, where surrogates (U+D800 to U+DFFF) come before U+E000 to U+FFFF although the characters they make come after. */
export function compareUtf8(a: string, b: string): number {
  return compareCommonLength(a, b) || a.length - b.length;
}

/** As `compareUtf8`, but 0 where one text begins the other. */
export function compareCommonLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return 0;
}

/** Moves surrogates behind the rest of the basic plane. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
