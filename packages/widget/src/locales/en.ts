/** English, first stage: what a reader sees before the first answer of the BFF. */

export const coreStrings = {
  heading: 'Comments',
  message: 'Your comment',
  post: 'Post comment',
  notLoaded: 'Posting is not possible right now. Your text is kept on this device. Reload the page to try again.',
};

export type CoreStrings = typeof coreStrings;
