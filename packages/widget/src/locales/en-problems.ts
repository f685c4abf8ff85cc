/** English: a sentence to the reader for each problem of the BFF (contract, section 2), and for the client's own `network`. */

import type { WidgetProblemType } from '../client/problem.ts';

export const problemStrings: Record<WidgetProblemType | 'reference', string> = {
  /** An old version of the page, or a fault of the widget. */
  'invalid-request': 'The comment service did not understand this request. Reload the page and try again.',
  /** At the start of a sign-in from an address that is not the service's. */
  'untrusted-completion-uri': 'This sign-in link does not lead back to the comment service, so it was not used. Please sign in again.',
  /** At the start of a sign-in; the site's settings lack the page. */
  'untrusted-return-uri': 'This page may not be used to sign in. Please contact the site.',
  /** At a post: the session has ended. */
  'not-signed-in': 'You are no longer signed in. Please sign in again.',
  /** At any request; the site's settings lack the page. */
  'cross-site-request': 'This page is not allowed to use the comment service. Please contact the site.',
  /** At any request; the site's settings lack the forum. */
  'forum-not-allowed': 'Comments are not set up for this page. Please contact the site.',
  /** At the end of a sign-in: another account than the one shown. */
  'user-mismatch': 'The comment service confirmed a different account. Please sign in again.',
  /** At any request; the site's address of its comment server is wrong. */
  'not-found': 'The comment service was not found. Please contact the site.',
  /** As `invalid-request`. */
  'method-not-allowed': 'The comment service did not accept this request. Reload the page and try again.',
  /** A browser extension or a proxy has changed the request. */
  'not-acceptable': 'The comment service could not answer this browser. Please contact the site.',
  /** In the form: at an answer after the sign-in has expired or was replaced. */
  'no-sync-in-progress': 'This sign-in has ended or took too long. Please sign in again.',
  /** At the start of a sign-in: the link was opened twice. */
  'code-already-used': 'This sign-in has already been used. Please sign in again.',
  /** In the form: the account has been renamed. It shows the new name. */
  'user-changed': 'Your account’s name is not the one you were shown. Check the name, then continue.',
  /** At a repeated post, while the first one is in flight. */
  'post-in-progress': 'This comment is still being posted.',
  /** At a post after its text was changed; the first attempt may have succeeded. */
  'idempotency-key-reused': 'An earlier version of this comment may already have been posted.',
  /** At a post. */
  'message-too-long': 'This comment is too long.',
  /** At a post; followed by the site's reason if it gives one. */
  'post-rejected': 'This site did not accept this comment.',
  /** At a post of many characters. */
  'payload-too-large': 'This comment is too long.',
  /** As `invalid-request`. */
  'unsupported-media-type': 'The comment service did not accept this request. Reload the page and try again.',
  /** In the form, above the answers concerned. */
  'invalid-answers': 'Please look at your answers again.',
  /** At any request. */
  'too-many-requests': 'Too many attempts. Please wait a moment and try again.',
  /** At a post or a sign-in; followed by the service's reason, quoted, if it gives one. */
  'service-refused': 'The comment service rejected this.',
  /** At a post or a sign-in. */
  'bad-service-response': 'The comment service gave an invalid response. Please try again.',
  /** At any request; often temporary. */
  'service-unavailable': 'The comment service is not available right now.',
  /** After a post. Followed by the question whether the reader can see it. */
  'outcome-unknown': 'It is not certain whether this comment was posted.',
  /** At any request: a fault of the site's server. */
  'internal-error': 'Something went wrong on our side. Please try again.',
  /** At any request: no connection, or no server. */
  network: 'The comment service could not be reached.',
  /** At any request: a response with status 403 that is not the BFF's. */
  firewall: 'A firewall of this site blocked this. Please contact the site.',
  /** After the words of a problem of the BFF. `{id}`: finds the failure in the site's log. */
  reference: 'Reference: {id}',
};

export type ProblemStrings = typeof problemStrings;
