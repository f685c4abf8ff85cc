/** English: phrases of the comment box before its second stage has loaded. */

export const coreStrings = {
  /** Heading of the box. */
  heading: 'Comments',
  /** Label of the text field. */
  message: 'Your comment',
  /** Main button of a reader who may post, or of whom nothing is known yet. */
  post: 'Post comment',
  /** Error: a script of the box failed to load. */
  notLoaded: 'Posting is not possible right now. Please try again.',
};

export type CoreStrings = typeof coreStrings;
