/** English: phrases of the thread below the comment box. */

export const threadStrings = {
  /** Name of the list of comments, for screen readers. */
  heading: 'Readers’ comments',
  /** For screen readers, in place of the number in the heading of the box. */
  total: { one: '{count} comment', other: '{count} comments' },
  loading: 'Loading comments…',
  /** The article has no comments. */
  empty: 'No comments yet.',
  /** Follows `empty` where the article takes comments. */
  beFirst: 'Be the first.',
  /** Error. Followed by the button `tryAgain`. */
  failed: 'The comments could not be loaded.',
  tryAgain: 'Try again',
  /** Button below the comments: loads more of them. */
  showMore: 'Show more comments',
  /** Below posts that the page has rendered itself: the thread takes their place. */
  showAll: 'Show all comments',
  /** The same where the page's address names another comment. */
  showLinked: 'Show the linked comment',
  /** Buttons below a long comment: the first while only its beginning is shown. */
  showWhole: 'Show more',
  showLess: 'Show less',
  /** Name of the list from which the reader chooses `newestFirst`, `oldestFirst` or `topFirst`. */
  order: 'Order of comments',
  newestFirst: 'Newest first',
  oldestFirst: 'Oldest first',
  /** In the site's own order of merit. */
  topFirst: 'Top comments',
  /** Button above the comments: shows those that were posted since the page was opened. */
  newComments: { one: '{count} new comment', other: '{count} new comments' },
  /** The same, where there may be more of them. */
  manyNewComments: '{count} or more new comments',
  /** Button below a comment: opens a text field. */
  reply: 'Reply',
  /** The same, where a reply waits as a draft. */
  continueReply: 'Continue your reply',
  /** Above a reply that does not stand directly below the comment it replies to. `{name}`: author of that comment. */
  inReplyTo: 'In reply to {name}',
  /** The same, where the author is not known. */
  inReplyToEarlier: 'In reply to an earlier comment',
  /** In that menu: copies the address of the comment. */
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  /** Above the comments: the address of the page names a comment that was removed, is held, or is of another article. */
  linkNotFound: 'This comment is not shown here.',
  /** The same, where the comments that are loaded do not reach as far. */
  linkFurther: 'This comment is further down.',
  /** Link in the menu of a comment: leads to a page of the site where readers report comments that break its rules. */
  report: 'Report',
  /** For screen readers, after `report`. */
  opensTab: 'Opens in a new tab',
  /** Name of the button “…” below a comment, which opens its menu. */
  more: 'More',
  /** Button below a comment, pressed while the reader likes it. */
  like: 'Like',
  /** After `like`, for screen readers, and in its place at the reader’s own comments. */
  likes: { one: '{count} like', other: '{count} likes' },
  /** Beside the time of a comment. */
  edited: 'edited',
  /** Beside the author of a comment that the editors have chosen. */
  pick: 'Editors’ pick',
  /** In place of a comment whose replies stay. */
  removed: 'This comment is not shown.',
  /** Button before the replies to a comment, seen while it has the focus: leads to the next comment at the top level. */
  skipReplies: 'Skip the replies',
};

export type ThreadStrings = typeof threadStrings;
