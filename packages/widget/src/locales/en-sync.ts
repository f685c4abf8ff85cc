/** English: phrases of the validation form, `<vestibule-sync>`. */

import type { WidgetProblemType } from '../client/problem.ts';

export const syncStrings = {
  /** While a request is in flight. */
  wait: {
    /** When the form opens, until it is known which sign-in goes on. */
    asking: 'One moment…',
    /** Where there are no questions. */
    starting: 'Signing in…',
    /** Where there are questions. */
    sending: 'Checking your answers…',
    /** After “Cancel” or “Not you? Cancel”. */
    cancelling: 'Cancelling…',
  },
  /** First step: who is about to be signed in. It is the only one if there is nothing to ask. */
  confirm: {
    heading: 'Sign in to comment',
    about: 'You are about to sign in with this account:',
    continueAs: 'Continue as {name}',
    /** Main button of either step where the reader has pressed to post a comment, which follows. */
    continueAsAndPost: 'Continue as {name} and post',
    notYou: 'Not you? Cancel',
  },
  /** Second step: the publisher's questions. */
  questions: {
    heading: 'Before you comment',
    /** `{site}`: name of the publisher's site, here and below. */
    about: '{site} asks everyone who wants to comment:',
    signingInAs: 'Signing in as {name}',
    /** After the label of a question. */
    optional: '(optional)',
    /** First option of a required list. */
    choose: 'Please choose',
    /** First option of an optional list. */
    noAnswer: 'No answer',
    cancel: 'Cancel',
    /** The reader began another sign-in meanwhile; the form now shows that one. */
    superseded: 'A newer sign-in has replaced the earlier one. Check the account, then continue.',
  },
  /** At a question: why an answer is not accepted. */
  answerErrors: {
    /** Above the list of the questions concerned. */
    summary: { one: 'One answer is missing or needs a change:', other: '{count} answers are missing or need a change:' },
    /** A required text field is empty. */
    required: 'Please answer this.',
    /** A required list has no choice. */
    requiredOption: 'Please choose one.',
    /** A required checkbox is not ticked. */
    requiredTick: 'Please confirm this to continue.',
    /** Such as half of an emoji. */
    'not-a-text': 'This contains a character that cannot be sent.',
    'not-a-number': 'Please enter a number.',
    'not-a-date': 'Please enter a valid date.',
    'not-an-email': 'Please enter an e-mail address, such as name@example.com.',
    /** The list has changed since the form was loaded. */
    'not-an-option': 'Please choose one of the options.',
    /** `{limit}`: a number. */
    numberTooLow: 'Please enter {limit} or more.',
    /** `{limit}`: a number. */
    numberTooHigh: 'Please enter {limit} or less.',
    /** `{limit}`: a date in the reader's language. */
    dateTooEarly: 'Please enter {limit} or a later date.',
    /** `{limit}`: a date in the reader's language. */
    dateTooLate: 'Please enter {limit} or an earlier date.',
    'too-short': { one: 'Please enter at least {count} character.', other: 'Please enter at least {count} characters.' },
    'too-long': { one: 'Please shorten this to {count} character.', other: 'Please shorten this to {count} characters.' },
    /** The answer has another format than the publisher asks for, such as five digits. */
    pattern: 'Please check the format of this answer.',
  },
  /** Texts once the sign-in is decided; the headings are those of `endings`. */
  outcome: {
    /** Below the heading, while the browser navigates. Followed by the button `goOn`. */
    onTheWay: 'Taking you back…',
    goOn: 'Continue manually',
    /** Leads on to the comment service, after the reader has read an outcome. */
    continue: 'Continue',
    failed: 'The sign-in did not work',
    unavailable: 'Signing in is not possible right now',
  },
  /** How a sign-in ends: heading, and the text where nothing is left to do in this window. */
  endings: {
    declined: { heading: 'You did not allow access', text: 'You are not signed in. You can sign in again from the comment box.' },
    /** The text stands in for a reason of the publisher's. */
    rejected: { heading: '{site} did not accept the sign-in', text: 'You are not signed in.' },
    'already-granted': {
      heading: 'You allowed this before',
      text: 'The comment service did not sign you in again. Remove {site} in your account there, then try again from the comment box.',
    },
    cancelled: { heading: 'Sign-in cancelled', text: 'You are not signed in.' },
    'signed-in': { heading: 'You are signed in', text: 'You can go back and post your comment.' },
    'nothing-to-do': {
      heading: 'Nothing to do here',
      text: 'No sign-in is in progress in this window. Go back to the article and sign in from its comment box.',
    },
    'invalid-return': {
      heading: 'This sign-in link is incomplete',
      text: 'Part of it is missing. Go back to the article and sign in again from its comment box.',
    },
  },
  /** Buttons and links that lead on from there. */
  exits: {
    tryAgain: 'Try again',
    startAgain: 'Sign in again',
    close: 'Close this window',
    /** The browser refused to close the window. */
    closeYourself: 'Your browser kept this window open. You can close it now.',
    /** Link. `{site}`: the host of the publisher's site. */
    toSite: 'Go to {site}',
    toComments: 'Back to the comments',
  },
  /** Problems that need other words here than in the comment box. */
  problems: {
    'payload-too-large': 'Your answers are too long.',
    'outcome-unknown': 'We could not confirm your sign-in. Please sign in again.',
    'service-refused': 'Your sign-in was not accepted. Please sign in again.',
    'bad-service-response': 'We did not get a valid answer. Please sign in again.',
  } satisfies Partial<Record<WidgetProblemType, string>>,
};

export type SyncStrings = typeof syncStrings;
