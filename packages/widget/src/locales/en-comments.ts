/** English: phrases of the comment box from its second stage on. */

export const commentsStrings = {
  /** Above the text field. `{name}`: the reader's user name. */
  account: {
    signedInAs: 'Commenting as {name}',
    signOut: 'Sign out',
    /** To a reader who is not signed in. */
    mayWrite: 'Write now, sign in to post.',
  },
  /** Labels of the main button. */
  action: {
    /** While a comment is being posted; the button is disabled. */
    posting: 'Posting…',
    /** After the session could not be requested. */
    tryAgain: 'Try again',
  },
  /** Beside the main button, while something lasts. */
  status: {
    /** The reader has pressed the button and it is not known yet whether they are signed in. */
    oneMoment: 'One moment…',
    /** A sign-in window is open. Followed by the link `reopen`. */
    waiting: 'Finish signing in in the other window.',
    reopen: 'Open it again',
    /** The browser reports no network; posting waits. */
    offline: 'You are offline.',
    /** The session cannot be requested; the box repeats the request by itself. */
    unavailable: 'Signing in is not possible right now. Trying again…',
    posting: 'Posting…',
    /** Before a post is repeated. Followed by the link `stop`. */
    retrying: {
      one: 'Not posted yet. Trying again in {count} second.',
      other: 'Not posted yet. Trying again in {count} seconds.',
    },
    stop: 'Stop trying',
  },
  /** Beside the main button, after something has happened. */
  messages: {
    /** The reader pressed “Post comment” and is not signed in. */
    signInFirst: 'Sign in to post.',
    /** After a sign-in, if there is no text to post. */
    signedIn: 'You are signed in as {name}.',
    /** After a sign-in with text in the field, or when another account signed in before the post. */
    notPostedYet: 'You are signed in as {name}. Your comment is not posted yet.',
    /** After the reader pressed “Sign out”. */
    signedOut: 'You are signed out.',
    /** The service has created the comment. */
    posted: 'Your comment is posted.',
    /** The reader stopped a post that was being repeated. */
    stopped: 'Stopped.',
    /** The sign-in window was not finished within ten minutes. */
    signInTimedOut: 'The sign-in was not finished in time. Please sign in again.',
    /** After the reader pressed “Delete draft”. */
    discarded: 'Your draft was deleted.',
  },
  /** Beside the main button: how a sign-in ended at the service or on the site. */
  serverNotices: {
    declined: 'Access was not allowed, so you are not signed in.',
    rejected: 'This site did not accept the sign-in.',
    /** The service sends no new sign-in to a reader who allowed access on an earlier visit. */
    'already-granted': 'You’ve already allowed access, so the comment service sent no new sign-in. Withdraw this site’s access in your account there, then sign in again.',
  },
  /** Errors, below the main button. */
  alert: {
    empty: 'Write something first.',
    /** `{reason}`: a sentence from `problems`. Followed by `draft.kept` or `draft.notKept`. */
    notPosted: 'Your comment was not posted. {reason}',
    offline: 'You are offline.',
    /** `{reason}`: why it is not certain whether the comment was posted. */
    unconfirmed: '{reason} Please check whether it is there before you post it again.',
    /** After “The comment service rejected this.” `{words}`: its message, quoted. */
    serviceSays: 'It says: {words}',
    /** The address of the page carried an incomplete sign-in. */
    invalidCallback: 'This sign-in link is incomplete. Please sign in again.',
    formNotLoaded: 'The sign-in form could not be loaded. Please try again.',
    /** The reader signed in in a window, and the browser keeps the cookie from this page (third-party cookies). */
    cookieBlocked: 'You signed in, but your browser does not let this page use the sign-in. You can comment on a separate page instead.',
  },
  /** After a post of which it is not certain whether it arrived: what the reader may do. */
  choice: {
    /** The reader has found the comment on the page. */
    iCanSeeIt: 'I can see it',
    postAgain: 'Post again',
  },
  /** Panel below the box: a sign-in that waits for the reader's decision. */
  signIn: {
    about: 'You are about to sign in as {name}.',
    continueAs: 'Continue as {name}',
    /** Ends the sign-in: this is another account. */
    notYou: 'Not you?',
    /** A sign-in that the reader began earlier. Followed by `goOn` and `cancel`. */
    unfinished: 'Your sign-in as {name} is not finished yet.',
    goOn: 'Continue signing in',
    cancel: 'Cancel',
    /** Followed by `continueHere` and `stay`. */
    blocked: 'Your browser blocked the sign-in window.',
    continueHere: 'Continue in this page',
    stay: 'Stay here',
  },
  /** Panel below the box: asks before a sign-out deletes unposted text. */
  signOut: {
    about: 'Signing out deletes your unposted text from this browser.',
    confirm: 'Sign out',
    stay: 'Stay signed in',
  },
  draft: {
    /** Follows a message: storage has the text. */
    kept: 'Your text is kept on this device.',
    /** Follows a message, and appears by itself: the browser refuses storage. */
    notKept: 'This browser cannot keep your text. Copy it before you leave this page.',
    /** Button: deletes the text that was not posted. */
    discard: 'Delete draft',
    /** Panel: there is a second text for this page. Followed by the text, `insert` and `remove`. */
    second: 'There is another unposted text of yours for this page:',
    insert: 'Insert it',
    remove: 'Delete it',
  },
  counter: {
    left: { one: '{count} character left', other: '{count} characters left' },
    over: { one: '{count} character too many', other: '{count} characters too many' },
    /** Read out once when the limit comes near. */
    near: 'You’re near the character limit.',
    /** Read out once when the limit is passed. */
    tooLong: 'Your comment is too long.',
  },
  posts: {
    /** Heading above the reader's own comments of the last day. */
    heading: 'Your recent comments',
  },
};

export type CommentsStrings = typeof commentsStrings;
