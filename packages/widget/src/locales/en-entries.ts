/** English: phrases of the entries of the outbox, the comments that the reader has sent. */

export const entryStrings = {
  /** Name of the list, for screen readers. */
  heading: 'Your comments',
  /** Rows: what becomes of the comment. */
  row: {
    posting: 'Posting…',
    /** Nothing was done yet. `{time}`: such as "12 sec". */
    notPostedYet: 'Not posted yet. Trying again in {time}',
    /** An answer was lost. `{time}`: such as "12 sec". */
    notConfirmedYet: 'Not confirmed yet. Trying again in {time}',
    offline: 'Will be posted if you are online within ten minutes.',
    /** `{reason}`: a sentence from `problems`. */
    notPosted: 'Not posted: {reason}',
    /** The same, without a reason. */
    notPostedPlain: 'Not posted yet.',
    sessionOver: 'You are no longer signed in.',
    unsure: 'We could not confirm that this was posted. Is it in the comments?',
    /** After `unsure`, where a second one is possible. */
    twice: 'If you post again, it may appear twice.',
    held: 'Only you see this until it is approved.',
    /** Of a comment that the browser does not store. */
    notKept: 'Stay on this page until it is posted.',
    deleted: 'Your comment was deleted.',
  },
  /** Buttons of the rows. */
  action: {
    tryNow: 'Try now',
    /** Ends the attempts. */
    stop: 'Stop',
    tryAgain: 'Try again',
    /** Opens the text in a field, in its place. */
    edit: 'Edit',
    remove: 'Delete',
    /** After `row.deleted`. */
    undo: 'Undo',
    signInAndPost: 'Sign in and post',
    /** The reader has found the comment in the list. */
    itsThere: 'It’s there',
    postAgain: 'Post again',
    /** Name of the button “…”, which opens the others. */
    more: 'More',
    /** Shows the whole reason; cuts it again. */
    showMore: 'Show more',
    showLess: 'Show less',
  },
  /** The field that `action.edit` opens. */
  editor: {
    label: 'Edit your comment',
    post: 'Post comment',
    cancel: 'Cancel',
  },
  /** For screen readers, each once. Others are those of `row`. */
  said: {
    notPostedYet: 'Not posted yet. Trying again.',
    notConfirmedYet: 'Not confirmed yet. Trying again.',
    posted: 'Your comment is posted.',
    replyPosted: 'Your reply is posted.',
    held: 'Thank you. Your comment is waiting for approval.',
  },
  /** In the box of another article. Followed by the link `show`. */
  elsewhere: {
    notPosted: 'Your comment on another page was not posted.',
    unsure: 'We could not confirm that your comment on another page was posted.',
    show: 'Show it',
  },
};

export type EntryStrings = typeof entryStrings;
