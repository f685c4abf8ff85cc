/** English, second stage: what the comment box says once it can ask who the reader is. */

export const engineStrings = {
  account: {
    signedInAs: 'Commenting as {name}',
    signOut: 'Sign out',
    mayWrite: 'Write now, sign in to post.',
  },
  action: {
    signIn: 'Sign in to post',
    posting: 'Posting…',
    tryAgain: 'Try again',
  },
  /** What is so. */
  status: {
    oneMoment: 'One moment…',
    waiting: 'Signing in goes on in another window.',
    reopen: 'Open it again',
    popupBlocked: 'Your browser did not open a window, so signing in goes on in this page. Your text is kept.',
    goOnHere: 'Go on now',
    offline: 'You are offline. Your text is kept on this device.',
    unavailable: 'Signing in is not possible right now. Go on writing: your text is kept, and we keep trying.',
    posting: 'Posting…',
    retrying: {
      one: 'Not posted yet. Trying again in {count} second.',
      other: 'Not posted yet. Trying again in {count} seconds.',
    },
    stop: 'Stop trying',
  },
  /** What has just happened. */
  notes: {
    signInFirst: 'Sign in to post. Your text is kept.',
    signedIn: 'You are signed in as {name}.',
    notPostedYet: 'You are signed in as {name}. Your comment is not posted yet.',
    signedOut: 'You are signed out.',
    posted: 'Your comment is posted.',
    stopped: 'Stopped. Your text is kept.',
  },
  /** What the service or the site has decided elsewhere. */
  notices: {
    declined: 'You did not give access, so you are not signed in.',
    rejected: 'This site did not accept the sign-in.',
    'already-granted': 'You had given access before. If you are still not signed in, please sign in once more.',
  },
  alert: {
    empty: 'Write something first.',
    notPosted: 'Your comment was not posted. {reason} Your text is kept.',
    offline: 'You are offline.',
    unsure: '{reason} Please look whether it is there before you post it again.',
    serviceSays: 'It says: {words}',
    invalidReturn: 'This sign-in link is not whole. Please sign in again.',
    formNotLoaded: 'The sign-in form could not be loaded. Please try again.',
  },
  choice: {
    iCanSeeIt: 'I can see it',
    postAgain: 'Post again',
  },
  signIn: {
    about: 'You are about to sign in as {name}.',
    continueAs: 'Continue as {name}',
    notYou: 'Not you?',
    unfinished: 'Your sign-in as {name} is not finished yet.',
    goOn: 'Continue signing in',
    cancel: 'Cancel',
  },
  counter: {
    left: { one: '{count} character left', other: '{count} characters left' },
    over: { one: '{count} character too many', other: '{count} characters too many' },
    near: 'Your comment is close to the longest it can be.',
    tooLong: 'Your comment is too long.',
  },
  posts: {
    heading: 'Just posted',
  },
};

export type EngineStrings = typeof engineStrings;
