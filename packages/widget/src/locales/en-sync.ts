/** English: what the validation form says. */

import type { WidgetProblemType } from '../api/problem.ts';

export const syncStrings = {
  wait: {
    asking: 'One moment…',
    starting: 'Signing in…',
    sending: 'Checking your answers…',
    cancelling: 'Cancelling…',
    slow: 'This is taking longer than usual. Please stay on this page.',
  },
  confirm: {
    heading: 'Sign in to comment',
    about: 'You are about to sign in with this account:',
    continueAs: 'Continue as {name}',
    notYou: 'Not you? Cancel',
    nothingSent: 'Nobody is signed in until you continue.',
  },
  questions: {
    heading: 'Before you comment',
    about: 'This site asks everyone who wants to comment:',
    signingInAs: 'Signing in as {name}',
    requiredMark: '* must be answered',
    optional: '(optional)',
    choose: 'Please choose',
    noAnswer: 'No answer',
    submit: 'Finish signing in',
    cancel: 'Cancel',
    superseded: 'A newer sign-in has replaced the earlier one. Check the account, then continue.',
  },
  faults: {
    summary: { one: 'Please look at this answer again:', other: 'Please look at these {count} answers again:' },
    required: 'Please answer this.',
    requiredOption: 'Please choose one.',
    requiredTick: 'Please tick this to go on.',
    'not-a-text': 'This holds a character that cannot be sent.',
    'not-a-number': 'Please enter a number.',
    'not-a-date': 'Please enter a whole date that exists.',
    'not-an-email': 'Please enter an e-mail address, such as name@example.com.',
    'not-an-option': 'Please choose one of the options.',
    numberTooLow: 'Please enter {limit} or more.',
    numberTooHigh: 'Please enter {limit} or less.',
    dateTooEarly: 'Please enter {limit} or a later date.',
    dateTooLate: 'Please enter {limit} or an earlier date.',
    'too-short': { one: 'Please enter at least {count} character.', other: 'Please enter at least {count} characters.' },
    'too-long': { one: 'Please shorten this to {count} character.', other: 'Please shorten this to {count} characters.' },
    pattern: 'This is not in the form that is asked for.',
  },
  outcome: {
    accepted: 'You are signed in',
    cancelled: 'Sign-in cancelled',
    onTheWay: 'Taking you back…',
    goOn: 'Go on if nothing happens',
    rejected: 'This site did not accept the sign-in',
    noReason: 'The site gave no reason.',
    continue: 'Continue',
    failed: 'Signing in did not work',
    unavailable: 'Signing in is not possible right now',
  },
  endings: {
    declined: { heading: 'You did not give access', text: 'You are not signed in. If you change your mind, sign in again from the comment box.' },
    rejected: { heading: 'This site did not accept the sign-in', text: 'You are not signed in.' },
    'already-granted': {
      heading: 'You had given access before',
      text: 'Nothing is left to do here. If the comment box still asks, please sign in once more.',
    },
    cancelled: { heading: 'Sign-in cancelled', text: 'You are not signed in.' },
    'signed-in': { heading: 'You are signed in', text: 'You can go back and post your comment.' },
    'nothing-to-do': {
      heading: 'Nothing to do here',
      text: 'No sign-in is under way in this window. Go back to the article and sign in from its comment box.',
    },
    'invalid-return': {
      heading: 'This sign-in link is not whole',
      text: 'Part of it is missing. Go back to the article and sign in again from its comment box.',
    },
  },
  way: {
    tryAgain: 'Try again',
    startAgain: 'Sign in again',
    close: 'Close this window',
    closeYourself: 'Your browser kept this window open. You can close it now.',
    toSite: 'Go to {site}',
    toComments: 'Back to the comments',
  },
  /** Where a sync needs other words than the comment box. */
  problems: {
    'payload-too-large': 'Your answers are too long.',
    'outcome-unknown': 'It is not certain whether signing in worked. Please sign in again.',
    'service-refused': 'The comment service did not accept this sign-in. Please sign in again.',
    'bad-service-response': 'The comment service gave an answer that could not be used. Please sign in again.',
    'service-unavailable': 'The comment service is not available right now. Please try again in a moment.',
  } satisfies Partial<Record<WidgetProblemType, string>>,
};

export type SyncStrings = typeof syncStrings;
