/** English: a sentence to the reader for each problem of the BFF (contract, section 2), and for the client's own `network`. */

import type { WidgetProblemType } from '../client/problem.ts';

export const problemStrings: Record<WidgetProblemType | 'reference', string> = {
  'invalid-request': 'The comment service did not understand this request. Reload the page and try again.',
  'untrusted-completion-uri': 'This sign-in link does not lead back to the comment service, so it was not used. Please sign in again.',
  'untrusted-return-uri': 'This page may not be used to sign in. Please contact the site.',
  'not-signed-in': 'You are no longer signed in. Please sign in again.',
  'cross-site-request': 'This page is not allowed to use the comment service. Please contact the site.',
  'forum-not-allowed': 'Comments are not set up for this page. Please contact the site.',
  'user-mismatch': 'The comment service confirmed a different account. Please sign in again.',
  'not-found': 'The comment service was not found. Please contact the site.',
  'method-not-allowed': 'The comment service did not accept this request. Reload the page and try again.',
  'not-acceptable': 'The comment service could not answer this browser. Please contact the site.',
  'no-sync-in-progress': 'This sign-in has ended or took too long. Please sign in again.',
  'code-already-used': 'This sign-in has already been used. Please sign in again.',
  'user-changed': 'Your account’s name is not the one you were shown. Check the name, then continue.',
  'post-in-progress': 'This comment is still being posted.',
  'idempotency-key-reused': 'An earlier version of this comment may already have been posted.',
  'message-too-long': 'This comment is too long.',
  'post-rejected': 'This site did not accept this comment.',
  'payload-too-large': 'This comment is too long.',
  'unsupported-media-type': 'The comment service did not accept this request. Reload the page and try again.',
  'invalid-answers': 'Please look at your answers again.',
  'too-many-requests': 'Too many attempts. Please wait a moment and try again.',
  'service-refused': 'The comment service rejected this.',
  'bad-service-response': 'The comment service gave an invalid response. Please try again.',
  'service-unavailable': 'The comment service is not available right now.',
  'outcome-unknown': 'It is not certain whether this comment was posted.',
  'internal-error': 'Something went wrong on our side. Please try again.',
  network: 'The comment service could not be reached.',
  /** After the words of a problem of the BFF. `{id}`: finds the failure in the site's log. */
  reference: 'Reference: {id}',
};

export type ProblemStrings = typeof problemStrings;
