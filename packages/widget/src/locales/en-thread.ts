/** English: phrases of the thread below the comment box. */

export const threadStrings = {
  /** Name of the list of comments, for screen readers. */
  heading: 'Readers’ comments',
  /** For screen readers, in place of the number in the heading of the box. */
  total: { one: '{count} comment', other: '{count} comments' },
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
  /** Name of the list from which the reader chooses `newestFirst` or `oldestFirst`. */
  order: 'Order of comments',
  newestFirst: 'Newest first',
  oldestFirst: 'Oldest first',
  /** Button above the comments: shows those that were posted since the page was opened. */
  newComments: { one: '{count} new comment', other: '{count} new comments' },
  /** Button below a comment: opens a text field. */
  reply: 'Reply',
  /** Above a reply that does not stand directly below the comment it replies to. `{name}`: author of that comment. */
  inReplyTo: 'In reply to {name}',
  /** The same, where the author is not known. */
  inReplyToEarlier: 'In reply to an earlier comment',
  /** In the menu of a comment: copies the address of the comment. */
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  /** In place of `copyLink` on phones: opens the device's own choice of ways to share. */
  share: 'Share',
  /** Above the comments: the address of the page names a comment that is not in the list. */
  linkNotFound: 'The linked comment is not here any more.',
  /** Link in the menu of a comment: leads to a page of the site where readers report comments that break its rules. */
  report: 'Report',
  /** For screen readers, after `report`. */
  opensTab: 'Opens in a new tab',
  /** Name of the button “…” below a comment, which opens its menu. */
  more: 'More',
  /** Button below a comment, pressed while the reader likes it. */
  like: 'Like',
  /** After `like`, for screen readers, and in its place at the reader’s own comments and on an article that takes no comments. */
  likes: { one: '{count} like', other: '{count} likes' },
  /** Beside the time of a comment. `{time}`: such as "5 minutes ago". */
  edited: 'edited {time}',
  /** In place of a comment whose replies stay. */
  removed: 'This comment was removed.',
  /** Button below the third reply: shows the others. */
  moreReplies: { one: '{count} more reply', other: '{count} more replies' },
};

export type ThreadStrings = typeof threadStrings;
