/** English: phrases of the comment box before its second stage has loaded. */

export const coreStrings = {
  /** Heading of the box. */
  heading: 'Comments',
  /** Label of the text field. */
  message: 'Your comment',
  /** In the empty text field. */
  placeholder: 'Join the discussion',
  /** Label of the text field of a reply. `{name}`: whose comment it replies to. */
  replyTo: 'Reply to {name}',
  /** Main button of a reply. */
  postReply: 'Post reply',
  /** In place of the text field, where an article takes no comments. */
  closed: 'Comments on this article are closed.',
  /** Main button of a reader who is, or probably is, signed in. */
  post: 'Post comment',
  /** Main button otherwise, without a text. */
  signIn: 'Sign in to comment',
  /** Main button otherwise, with a text. */
  signInAndPost: 'Sign in and post',
  /** For screen readers, after `signIn`. */
  opensWindow: 'Opens a window',
};

export type CoreStrings = typeof coreStrings;
