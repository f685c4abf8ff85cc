/** English: phrases of the thread below the comment box. */

export const threadStrings = {
  /** Heading above the comments of the article. */
  heading: 'Readers’ comments',
  loading: 'Loading comments…',
  /** The article has no comments. */
  empty: 'No comments yet.',
  /** Error. Followed by the button `tryAgain`. */
  failed: 'The comments could not be loaded.',
  /** After `failed`. `{id}`: finds the failure in the site's log. */
  reference: 'Reference: {id}',
  tryAgain: 'Try again',
  /** Button below the comments: loads more of them. */
  showMore: 'Show more comments',
  /** Button below a long comment of which only the beginning is shown. */
  showWhole: 'Show the whole comment',
  /** Beside the reader's name, on a comment that they have just posted and that the list does not contain yet. */
  unlisted: 'Your new comment',
};

export type ThreadStrings = typeof threadStrings;
