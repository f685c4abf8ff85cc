/** English: phrases of the comment box from its second stage on. */

export const commentsStrings = {
  /** In the line below the text. Only the name is seen; a screen reader reads all of it. */
  account: {
    signedInAs: 'Commenting as {name}',
  },
  /** Buttons. */
  action: {
    /** Main button while a sign-in window is open. */
    showWindow: 'Show window',
    signOut: 'Sign out',
    /** Ends a sign-in; closes the composer of a reply. */
    cancel: 'Cancel',
  },
  /** The line below the text: at most two lines of a phone. */
  status: {
    /** A sign-in window is open. Followed by `cancel`. */
    waiting: 'Continue in the sign-in window.',
    /** The session cannot be requested; the box repeats the request by itself. */
    unavailable: 'Signing in is not possible right now. Trying again…',
    /** After a sign-in with a text in the field that its press does not post. */
    oneMoreStep: 'One more step: post your comment.',
    /** After a sign-in, if there is no text to post. */
    signedIn: 'You are signed in.',
    /** After the reader pressed “Sign out”. */
    signedOut: 'You are signed out.',
    signedOutElsewhere: 'You signed out in another tab.',
    /** The reader did not allow access at the service. */
    declined: 'You did not allow access, so you are not signed in.',
    empty: 'Write something first.',
    tooLong: 'Your comment is too long.',
  },
  /** Below the box: what does not fit into the line. */
  alert: {
    /** After a sign-out whose request failed: all of the reader's data is deleted here, and the request will be repeated. */
    sessionLeft: 'Your sign-out did not get through, so your session may still be open. We will try again as soon as possible.',
    /** The address of the page carried an incomplete sign-in. */
    invalidCallback: 'This sign-in link is incomplete. Please sign in again.',
    formNotLoaded: 'The sign-in form could not be loaded. Please try again.',
    /** The service or the site ended the sign-in by an error. */
    declined: 'The sign-in did not work. Please try again.',
    /** The site did not accept the reader's answers. Followed by its reason. */
    rejected: 'This site did not accept your sign-in.',
    /** The service sends no new sign-in to a reader who allowed access on an earlier visit. */
    'already-granted': 'You allowed this before, and the comment service did not sign you in again. Remove this site in your account there, then try again.',
  },
  /** Below the box: a question that waits for the reader's decision. */
  panel: {
    /** Followed by `continueHere` and `stay`. */
    blocked: 'Your browser blocked the sign-in window.',
    continueHere: 'Sign in on this page',
    /** As `continueHere`, in a frame. */
    continueInTab: 'Sign in in a new tab',
    stay: 'Not now',
    /** The reader signed in in a window, and the browser keeps the cookie from this page (third-party cookies). Followed by
     *  `openComments`. */
    cookieBlocked: 'You signed in, but your browser does not let this page use the sign-in. You can comment on a separate page instead.',
    openComments: 'Write a comment on its own page',
    /** Asks before a sign-out deletes text. Followed by `staySignedIn` and `action.signOut`. */
    signOut: 'Sign out? What is not posted is deleted.',
    /** After it, where a comment is on its way. */
    signOutInDoubt: 'One comment may still appear.',
    staySignedIn: 'Stay signed in',
  },
  draft: {
    /** The browser refuses storage. */
    notKept: 'This browser cannot keep your text. Copy it before you leave this page.',
  },
  counter: {
    left: { one: '{count} character left', other: '{count} characters left' },
    over: { one: '{count} character too many', other: '{count} characters too many' },
    /** Read out once when the limit comes near. */
    near: 'You are near the character limit.',
  },
};

export type CommentsStrings = typeof commentsStrings;
