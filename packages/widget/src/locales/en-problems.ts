/** English: a sentence to the reader for each problem of the BFF (contract, section 2), and for the client's own `network`. */

import type { WidgetProblemType } from '../client/problem.ts';

export const problemStrings: Record<WidgetProblemType | 'reference', string> = {
  /** An old version of the page, or a fault of the widget. */
  'invalid-request': 'Something went wrong. Reload the page and try again.',
  /** At the start of a sign-in from an address that is not the service's. */
  'untrusted-completion-uri': 'This sign-in link leads somewhere else, so it was not used. Please sign in again.',
  /** At the start of a sign-in; the site's settings lack the page. */
  'untrusted-return-uri': 'Signing in is not available on this page.',
  /** At a post: the session has ended. */
  'not-signed-in': 'You are no longer signed in. Please sign in again.',
  /** At any request; the site's settings lack the page. */
  'cross-site-request': 'Comments are not available on this page.',
  /** At any request; the site's settings lack the forum. */
  'forum-not-allowed': 'Comments are not available on this page.',
  /** At the end of a sign-in: another account than the one shown. */
  'user-mismatch': 'This account is not the one you were shown. Please sign in again.',
  /** At any request; the site's address of its comment server is wrong. */
  'not-found': 'Comments are not available on this page.',
  /** As `invalid-request`. */
  'method-not-allowed': 'Something went wrong. Reload the page and try again.',
  /** A browser extension or a proxy has changed the request. */
  'not-acceptable': 'Comments are not available in this browser. Please try another one.',
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
  'post-rejected': 'The editors’ rules do not allow this comment.',
  /** At a post of many characters. */
  'payload-too-large': 'This comment is too long.',
  /** As `invalid-request`. */
  'unsupported-media-type': 'Something went wrong. Reload the page and try again.',
  /** In the form, above the answers concerned. */
  'invalid-answers': 'Some answers are missing or need a change.',
  /** At any request. */
  'too-many-requests': 'Too many attempts. Please wait a moment and try again.',
  /** At a post or a sign-in; followed by the service's reason, quoted, if it gives one. */
  'service-refused': 'This was not accepted. Please try again later.',
  /** At a post or a sign-in. */
  'bad-service-response': 'We did not get a valid answer. Please try again.',
  /** At any request; often temporary. */
  'service-unavailable': 'Comments are not available right now. Please try again in a moment.',
  /** After a post. Followed by the question whether the reader can see it. */
  'outcome-unknown': 'We could not confirm that this comment was posted.',
  /** At any request: a fault of the site's server. */
  'internal-error': 'Something went wrong on our side. Please try again.',
  /** At any request: no connection, or no server. */
  network: 'We could not connect. Please check your connection.',
  /** At any request: a response with status 403 that is not the BFF's. */
  firewall: 'This site’s firewall stopped this. Try other words, or contact the site.',
  /** After the words of a problem of the BFF. `{id}`: finds the failure in the site's log. */
  reference: 'Reference: {id}',
};

export type ProblemStrings = typeof problemStrings;
