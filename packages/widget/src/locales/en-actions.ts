/** English: phrases of the reader's own comments in the thread. */

export const actionStrings = {
  /** Button below the reader's own comment: opens its text in a field. */
  edit: 'Edit',
  /** In the menu of the reader's own comment, and in answer to `confirmRemove`. */
  remove: 'Delete',
  /** Label of the field. */
  field: 'Edit your comment',
  /** Button below the field. */
  save: 'Save changes',
  /** Button below the field: closes it and keeps the text as a draft. */
  cancel: 'Cancel',
  /** In answer to `confirmRemove`. */
  keep: 'Keep',
  /** The request is on its way. */
  busy: 'One moment…',
  /** Error: the field has no text. */
  empty: 'Write something first.',
  /** After `save`. */
  saved: 'Your change is saved.',
  /** After `save`, where a moderator has to approve it. */
  pending: 'Your change is waiting for approval.',
  /** Question after `remove`, with the buttons `keep` and `remove`. */
  confirmRemove: 'Delete this comment?',
  /** In place of the comment. */
  removed: 'Your comment was deleted.',
  /** Error: the comment was removed meanwhile. */
  gone: 'This comment was removed.',
  /** Error: somebody else has signed in meanwhile. */
  otherAccount: 'You are signed in with another account now.',
  /** Error of any other kind. */
  failed: 'That did not work. Please try again.',
};

export type ActionStrings = typeof actionStrings;
