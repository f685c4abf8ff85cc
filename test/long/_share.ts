/** How much of a long run is run: `VESTIBULE_LONG_SHARE=0.05` tries one out. */

const share = Number(process.env['VESTIBULE_LONG_SHARE'] ?? 1);

/** The share of `whole`, at least 1. */
export function shareOf(whole: number): number {
  return Math.max(Math.round(whole * share), 1);
}
