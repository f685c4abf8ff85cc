/** English: phrases of the entries of the outbox, the comments that the reader has sent. */

export const entryStrings = {
  /** Name of the list, for screen readers. */
  heading: 'Your comments',
  /** Rows: what becomes of the comment. */
  row: {
    /** Link, of a comment on another page: leads there. */
    show: 'Show it',
    posting: 'Posting…',
    /** After ten seconds. */
    trying: 'Not posted yet. Trying again.',
    offline: 'Waiting for a connection…',
    /** `{reason}`: a sentence from `problems`. */
    notPosted: 'Not posted: {reason}',
    /** The same, without a reason. */
    notPostedPlain: 'Not posted.',
    /** Of a text that is back in the field, after the reason. */
    writtenAs: 'You wrote this text as {name}.',
    unknown: 'We could not confirm that this was posted. Please look for it in the comments.',
    held: 'Only you see this until it is approved.',
    /** Of a comment that the browser does not store. */
    notKept: 'Stay on this page until it is posted.',
  },
  /** Buttons of the rows; `remove` is that of `actions`. */
  action: {
    /** Ends the attempts. */
    stop: 'Stop',
    tryAgain: 'Try again',
    /** Takes the text back to the field. */
    edit: 'Edit',
    postAgain: 'Post again',
  },
  /** For screen readers, each once. Others are those of `row`. */
  said: {
    posted: 'Your comment is posted.',
    replyPosted: 'Your reply is posted.',
    held: 'Thank you. Your comment is waiting for approval.',
  },
};

export type EntryStrings = typeof entryStrings;
