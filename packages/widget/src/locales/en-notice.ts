/** English of the notice that stands where the page's own policy keeps the elements from being drawn. */

export const noticeStrings = {
  comments: 'This page’s security settings keep the comment box from being shown.',
  openComments: 'Write a comment on a page of its own',
  sync: 'This page’s security settings keep the form from being shown.',
  openSync: 'Go on signing in on a page of its own',
};

export type NoticeStrings = typeof noticeStrings;
