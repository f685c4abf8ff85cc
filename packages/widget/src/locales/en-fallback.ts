/** English: stands in place of an element that could not be loaded. */

export const fallbackStrings = {
  /** In place of the comment box. Followed by the link `openComments`. */
  comments: 'The comment box could not be loaded here.',
  /** Also where the browser keeps the sign-in from the comment box. */
  openComments: 'Write a comment on its own page',
  /** In place of the validation form. Followed by the link `openSync`. */
  sync: 'The sign-in form could not be loaded here.',
  openSync: 'Continue signing in on its own page',
};

export type FallbackStrings = typeof fallbackStrings;
