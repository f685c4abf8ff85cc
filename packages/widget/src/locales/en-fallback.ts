/** English: where the browser keeps the sign-in from the comment box. */

export const fallbackStrings = {
  /** Link to the box on a page of the BFF. */
  openComments: 'Write a comment on its own page',
};

export type FallbackStrings = typeof fallbackStrings;
