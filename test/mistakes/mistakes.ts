/**
 * Typical mistakes of integrators and operators, and everything that explains them: the line of the log, the words for the
 * reader, the hint in the browser's console, and the finding of `vestibule check`. `mistakes.test.ts` makes each of them.
 * `docs/troubleshooting.md` has one row per `key`.
 */

import type { ProblemType } from '@vestibule/shared';

export interface Finding {
  readonly status: 'warn' | 'fail';
  readonly name: string;
  /** Part of the message. */
  readonly message: string;
}

export interface Mistake {
  readonly key: string;
  readonly mistake: string;
  /** Members of the one line at `warn` or above. `none`: no request reaches the BFF, or the process does not start. */
  readonly log: Readonly<Record<string, unknown>> | 'none';
  /** Problem whose words the reader sees; `none`: the words of the hint, or no reader is affected. */
  readonly reader: ProblemType | 'none';
  /** Text of the box, the form or the page that the reader sees, without the reference. `none`: no text. */
  readonly words: string;
  /** The message of the console. `{bff}` is the address of the BFF, `{origin}` that of the page. */
  readonly hint: string;
  /** `none`: `check` finds nothing, because the mistake is in a page, in a hook or in a moment. */
  readonly check: Finding | 'none';
  /** Fault that a start prints before it ends with status 78. */
  readonly startFault?: string;
}

const KEYS = 'VESTIBULE_PUBLIC_KEY, VESTIBULE_SECRET_KEY';

const NOT_ALLOWED = 'This page is not allowed to use the comment service. Please contact the site.';
const NOT_FOUND = 'The comment service was not found. Please contact the site.';
const EXPIRED = 'This sign-in has ended or took too long. Please sign in again.';
const RETRYING = 'Not posted yet. Trying again in … seconds.';

const ORIGIN_HINT = 'Vestibule: The BFF at {bff}/ does not accept requests of {origin}, or redirects them. Add this origin to '
  + 'VESTIBULE_ALLOWED_ORIGINS, or serve the page and widget.js from one host: www and the apex domain are two '
  + 'origins. See docs/troubleshooting.md#origin-not-allowed';

const OWN_ORIGIN_HINT = 'Vestibule: The BFF at {bff}/ does not accept requests of its own origin. Set VESTIBULE_PUBLIC_URL to the '
  + 'address that browsers use, scheme and port included. If it is set so, a proxy removes the header Origin: let '
  + 'it pass. See docs/troubleshooting.md#origin-not-allowed';

const NOT_FOUND_HINT = 'Vestibule: There is no BFF at {bff}/. Correct the attribute bff, or the address of widget.js if there is '
  + 'none: both must lead to VESTIBULE_PUBLIC_URL. See docs/troubleshooting.md#bff-not-found';

export const mistakes = [
  {
    key: 'www-against-apex',
    mistake: 'Readers open the page as https://example.com, and only https://www.example.com is allowed.',
    log: {
      msg: 'sign-in failed', problem: 'cross-site-request', origin: 'https://news.example', setting: 'VESTIBULE_ALLOWED_ORIGINS',
      reason: 'the origin is not allowed: it differs in www or port from https://www.news.example',
    },
    reader: 'cross-site-request', words: NOT_ALLOWED, hint: ORIGIN_HINT, check: 'none',
  },
  {
    key: 'origin-not-allowed',
    mistake: 'A page of another origin embeds the widget.',
    log: {
      msg: 'sign-in failed', problem: 'cross-site-request', origin: 'https://other.example', setting: 'VESTIBULE_ALLOWED_ORIGINS',
      reason: 'the origin is not allowed',
    },
    reader: 'cross-site-request', words: NOT_ALLOWED, hint: ORIGIN_HINT, check: 'none',
  },
  {
    key: 'origin-removed',
    mistake: 'A proxy removes the Origin header.',
    log: {
      msg: 'post failed', problem: 'cross-site-request', setting: 'the proxy, which must pass Origin on',
      reason: 'the request has neither Origin nor Sec-Fetch-Site: same-origin',
    },
    reader: 'cross-site-request',
    words: 'Your comment was not posted. This page is not allowed to use the comment service. Please contact the site. Your text is kept on this device.',
    hint: OWN_ORIGIN_HINT,
    check: 'none',
  },
  {
    key: 'http-public-url',
    mistake: 'VESTIBULE_PUBLIC_URL starts with http, and a proxy serves it with https.',
    log: {
      msg: 'sign-in failed', problem: 'cross-site-request', origin: 'https://www.news.example',
      setting: 'VESTIBULE_PUBLIC_URL, VESTIBULE_ALLOWED_ORIGINS',
      reason: 'the origin is not allowed: it differs in scheme from http://www.news.example',
    },
    reader: 'cross-site-request', words: NOT_ALLOWED, hint: OWN_ORIGIN_HINT,
    check: { status: 'fail', name: 'public url', message: 'VESTIBULE_PUBLIC_URL starts with http: use https' },
  },
  {
    key: 'return-to-other-origin',
    mistake: 'A sign-in starts from a page whose origin is not allowed.',
    log: { msg: 'sign-in failed', problem: 'untrusted-return-uri', origin: 'https://other.example', setting: 'VESTIBULE_ALLOWED_ORIGINS' },
    reader: 'untrusted-return-uri', words: NOT_ALLOWED, hint: ORIGIN_HINT, check: 'none',
  },
  {
    key: 'page-on-other-origin',
    mistake: 'Readers open a page whose origin is not allowed, so that the browser hides the responses of the BFF from it.',
    log: {
      msg: 'page refused', problem: 'invalid-request', origin: 'https://news.example', setting: 'VESTIBULE_ALLOWED_ORIGINS',
      reason: 'the origin is not allowed: it differs in www or port from https://www.news.example',
    },
    reader: 'invalid-request', words: NOT_ALLOWED, hint: ORIGIN_HINT, check: 'none',
  },
  {
    key: 'unknown-forum',
    mistake: 'The tag names a forum that is not configured.',
    log: { msg: 'sign-in failed', problem: 'forum-not-allowed', setting: 'VESTIBULE_FORUMS' },
    reader: 'forum-not-allowed', words: 'Comments are not set up for this page. Please contact the site.',
    hint: 'Vestibule: The BFF at {bff}/ does not know the forum "mistyped". Correct the attribute forum, or add the forum to VESTIBULE_FORUMS. See docs/troubleshooting.md#unknown-forum',
    check: 'none',
  },
  {
    key: 'forum-unknown-to-service',
    mistake: 'VESTIBULE_FORUMS names a forum that the service does not know.',
    log: {
      msg: 'sign-in failed', problem: 'service-refused', setting: 'VESTIBULE_FORUMS, VESTIBULE_REDIRECT_URI',
      reason: 'the service returned the reader with error=invalid_request',
    },
    reader: 'none', words: 'Access was not allowed, so you are not signed in.',
    hint: 'Vestibule: The comment service ended a sign-in of {bff}/ with an error, not by the reader\'s decision. Correct VESTIBULE_FORUMS or VESTIBULE_REDIRECT_URI. See docs/troubleshooting.md#forum-unknown-to-service',
    check: { status: 'fail', name: 'forums', message: 'mistyped: the service does not know this forum: check VESTIBULE_FORUMS' },
  },
  {
    key: 'service-page-refuses',
    mistake: 'The service does not know the redirect URI or the public key and says so on its own page, from which no reader returns.',
    log: {
      msg: 'sign-in failed', problem: 'service-refused', setting: 'VESTIBULE_REDIRECT_URI, VESTIBULE_PUBLIC_KEY, VESTIBULE_SERVICE_URL',
      reason: '20 sign-ins in a row did not return: the service\'s page refuses the redirect URI or the public key, or is down',
    },
    reader: 'none', words: 'none', hint: 'none',
    check: { status: 'fail', name: 'registration', message: 'the service refuses VESTIBULE_PUBLIC_KEY or the redirect URI: register exactly' },
  },
  {
    key: 'post-refused-by-service',
    mistake: 'The service refuses a post.',
    log: {
      msg: 'post failed', problem: 'service-refused', reason: 'the service refused the request', service_status: '403', service_code: '12',
      service_message: 'forum is closed',
    },
    reader: 'service-refused',
    words: 'Your comment was not posted. The comment service rejected this. It says: The comment service refused the request: forum is closed Your text is kept on this device.',
    hint: 'none',
    check: 'none',
  },
  {
    key: 'wrong-secret-key',
    mistake: 'VESTIBULE_SECRET_KEY is not that of the service.',
    log: {
      msg: 'sign-in failed', problem: 'service-refused', reason: 'the service refused the keys', setting: KEYS, service_status: '401',
      service_code: 'invalid_client',
    },
    reader: 'service-refused', words: 'The comment service did not accept this sign-in. Please sign in again.', hint: 'none',
    check: { status: 'fail', name: 'keys', message: 'the service refuses these keys: check VESTIBULE_PUBLIC_KEY and VESTIBULE_SECRET_KEY' },
  },
  {
    key: 'wrong-redirect-uri',
    mistake: 'VESTIBULE_REDIRECT_URI is not the one that is registered with the service.',
    log: {
      msg: 'sign-in failed', problem: 'service-refused', setting: 'VESTIBULE_REDIRECT_URI', service_code: 'invalid_grant',
      reason: 'the service refused the code: it expired, was used before, or the redirect URI is not the registered one',
    },
    reader: 'service-refused', words: 'The comment service did not accept this sign-in. Please sign in again.', hint: 'none',
    check: { status: 'fail', name: 'registration', message: 'the service refuses VESTIBULE_PUBLIC_KEY or the redirect URI: register exactly' },
  },
  {
    key: 'other-service',
    mistake: 'VESTIBULE_SERVICE_URL is another service, or lacks a path, so that the return names another completion endpoint.',
    log: { msg: 'sign-in failed', problem: 'untrusted-completion-uri', setting: 'VESTIBULE_SERVICE_URL' },
    reader: 'untrusted-completion-uri',
    words: 'This sign-in link does not lead back to the comment service, so it was not used. Please sign in again.',
    hint: 'none',
    check: { status: 'fail', name: 'keys', message: 'check VESTIBULE_SERVICE_URL, including its path' },
  },
  {
    key: 'service-down',
    mistake: 'The service does not accept connections.',
    log: { msg: 'post failed', problem: 'service-unavailable', reason: 'the service did not answer', setting: 'VESTIBULE_SERVICE_URL' },
    reader: 'service-unavailable', words: RETRYING, hint: 'none',
    check: { status: 'fail', name: 'service', message: 'the connection is refused: check host and port of VESTIBULE_SERVICE_URL' },
  },
  {
    key: 'store-down',
    mistake: 'The store does not answer.',
    log: { msg: 'post failed', problem: 'service-unavailable', reason: 'the store did not answer', setting: 'VESTIBULE_STORE' },
    reader: 'service-unavailable', words: RETRYING, hint: 'none',
    check: { status: 'fail', name: 'store', message: 'VESTIBULE_STORE: ' },
  },
  {
    key: 'no-proven-user',
    mistake: 'The service returns no user_id in the token exchange.',
    log: {
      msg: 'sign-in failed', problem: 'bad-service-response', reason: 'the token exchange returned no user_id', setting: 'VESTIBULE_REQUIRE_PROVEN_USER',
    },
    reader: 'bad-service-response',
    words: 'The comment service gave an invalid response. Please sign in again.', hint: 'none', check: 'none',
  },
  {
    key: 'code-used-before',
    mistake: 'A link of a sign-in is opened again or was shared.',
    log: { msg: 'sign-in failed', problem: 'code-already-used', reason: 'the code was handed in before, perhaps by another browser' },
    reader: 'code-already-used', words: 'This sign-in has already been used. Please sign in again.',
    hint: 'none',
    check: 'none',
  },
  {
    key: 'sign-in-expired',
    mistake: 'A reader answers the questions after VESTIBULE_SYNC_SECONDS.',
    log: { msg: 'sign-in failed', problem: 'no-sync-in-progress', setting: 'VESTIBULE_SYNC_SECONDS' },
    reader: 'no-sync-in-progress', words: EXPIRED, hint: 'none', check: 'none',
  },
  {
    key: 'sign-in-cookie-missing',
    mistake: 'The browser or a proxy removes the cookie of a sign-in.',
    log: { msg: 'sign-in failed', problem: 'no-sync-in-progress', reason: 'no cookie of a sign-in arrived' },
    reader: 'no-sync-in-progress', words: EXPIRED, hint: 'none', check: 'none',
  },
  {
    key: 'sign-in-of-another-browser',
    mistake: 'A sign-in is continued in another browser.',
    log: { msg: 'sign-in failed', problem: 'no-sync-in-progress', reason: 'the sign-in belongs to another browser, or expired' },
    reader: 'no-sync-in-progress', words: EXPIRED, hint: 'none', check: 'none',
  },
  {
    key: 'return-altered',
    mistake: 'The parameters of a return were altered.',
    log: { msg: 'sign-in failed', problem: 'user-mismatch', reason: 'the exchange returned another user_id than the return: the return was altered' },
    reader: 'user-mismatch',
    words: 'The comment service confirmed a different account. Please sign in again.', hint: 'none', check: 'none',
  },
  {
    key: 'bff-on-another-site',
    mistake: 'The BFF is served on another site than the pages, so that browsers do not send its cookies.',
    log: { msg: 'post failed', problem: 'not-signed-in', reason: 'no session cookie arrived' },
    reader: 'not-signed-in',
    words: 'You signed in, but your browser does not let this page use the sign-in. You can comment on a separate page instead.',
    hint: 'Vestibule: The sign-in succeeded, but the browser does not send the cookie of {bff}/ from {origin}. If these hosts belong to two domains that are registered separately, serve the BFF from the domain of this page. If they belong to one, the page is in a frame of another site, or the reader blocks cookies. See docs/troubleshooting.md#bff-on-another-site',
    check: { status: 'warn', name: 'origins', message: 'https://www.news.example is another site than bff.example' },
  },
  {
    key: 'token-revoked',
    mistake: 'The service revoked the access token of a reader.',
    log: { msg: 'post failed', problem: 'not-signed-in', reason: 'the service no longer accepts the access token' },
    reader: 'not-signed-in',
    words: 'Your comment was not posted. You are no longer signed in. Please sign in again. Your text is kept on this device.',
    hint: 'none',
    check: 'none',
  },
  {
    key: 'hook-throws',
    mistake: 'The hook validate throws.',
    log: { level: 50, msg: 'sign-in failed', problem: 'internal-error', reason: 'The hook validation.validate threw.', setting: 'VESTIBULE_CONFIG' },
    reader: 'internal-error', words: 'Something went wrong on our side. Please try again.', hint: 'none', check: 'none',
  },
  {
    key: 'hook-returns-other-shape',
    mistake: 'The hook validate returns true instead of { ok: true }.',
    log: {
      level: 50, msg: 'sign-in failed', problem: 'internal-error', setting: 'VESTIBULE_CONFIG',
      reason: 'The hook validation.validate returned a boolean; expected { ok: true }, { ok: false, retry: true, fields } with names of the form\'s fields, or { ok: false, reason }.',
    },
    reader: 'internal-error', words: 'Something went wrong on our side. Please try again.', hint: 'none', check: 'none',
  },
  {
    key: 'hook-hangs',
    mistake: 'The hook onAccepted does not settle in time.',
    log: {
      level: 50, msg: 'sign-in failed', problem: 'internal-error', reason: 'The hook validation.onAccepted did not settle within 50 ms.', setting: 'VESTIBULE_CONFIG',
    },
    reader: 'internal-error', words: 'Something went wrong on our side. Please try again.', hint: 'none', check: 'none',
  },
  {
    key: 'prepare-returns-nothing',
    mistake: 'The hook prepare returns nothing.',
    log: {
      level: 50, msg: 'post failed', problem: 'internal-error', setting: 'VESTIBULE_CONFIG',
      reason: 'The hook posts.prepare returned undefined; expected { ok: true, params? } with texts as values and no reserved names, or { ok: false, reason? }.',
    },
    reader: 'internal-error',
    words: 'Your comment was not posted. Something went wrong on our side. Please try again. Your text is kept on this device.',
    hint: 'none',
    check: 'none',
  },
  {
    key: 'post-refused-by-hook',
    mistake: 'The hook prepare refuses a post, such as for a closed article.',
    log: { msg: 'post failed', problem: 'post-rejected', reason: 'the hook posts.prepare refused the post' },
    reader: 'post-rejected',
    words: 'Your comment was not posted. This site did not accept this comment. canary Your text is kept on this device.',
    hint: 'none',
    check: 'none',
  },
  {
    key: 'proxy-not-trusted',
    mistake: 'VESTIBULE_TRUST_PROXY is not set behind a proxy, so that all readers share one rate limit.',
    log: {
      msg: 'sign-in failed', problem: 'too-many-requests', setting: 'VESTIBULE_TRUST_PROXY',
      reason: 'the rate limit is reached: a proxy sends X-Forwarded-For, which is not trusted, so all readers count as one address',
    },
    reader: 'too-many-requests', words: 'Too many attempts. Please wait a moment and try again.', hint: 'none',
    check: { status: 'warn', name: 'proxy', message: 'VESTIBULE_TRUST_PROXY is not set' },
  },
  {
    key: 'other-mount-path',
    mistake: 'A host application mounts the router at another path than that of publicUrl.',
    log: {
      msg: 'the path of a request is not that of the public URL', setting: 'VESTIBULE_PUBLIC_URL',
      reason: 'the router is mounted at /vestibule: mount it at /comments',
    },
    reader: 'none', words: NOT_FOUND, hint: NOT_FOUND_HINT, check: 'none',
  },
  {
    key: 'proxy-removes-path',
    mistake: 'A proxy removes the path of the public URL.',
    log: {
      msg: 'the path of a request is not that of the public URL', setting: 'VESTIBULE_PUBLIC_URL',
      reason: 'a request arrived without /vestibule: the proxy must pass the path on unchanged',
    },
    reader: 'not-found', words: NOT_FOUND, hint: NOT_FOUND_HINT, check: 'none',
  },
  {
    key: 'misspelt-variable',
    mistake: 'The name of a variable is misspelt.',
    log: { check: 'settings', msg: 'VESTIBULE_FORUM is not a setting and has no effect; check its spelling' },
    reader: 'none', words: 'none', hint: 'none',
    check: { status: 'warn', name: 'settings', message: 'VESTIBULE_FORUM is not a setting and has no effect; check its spelling' },
  },
  {
    key: 'word-instead-of-number',
    mistake: 'A setting has a word instead of a number.',
    log: 'none', reader: 'none', words: 'none', hint: 'none',
    check: { status: 'fail', name: 'settings', message: 'VESTIBULE_MESSAGE_MAX_LENGTH: must be a whole number of characters from 1 to 1000000, such as 10000' },
    startFault: 'VESTIBULE_MESSAGE_MAX_LENGTH: must be a whole number of characters from 1 to 1000000, such as 10000',
  },
  {
    key: 'placeholder-as-secret',
    mistake: 'A placeholder of an example is left in place of a secret.',
    log: 'none', reader: 'none', words: 'none', hint: 'none',
    check: { status: 'fail', name: 'settings', message: 'VESTIBULE_SECRET_KEY: must be the secret key of the service, not a placeholder' },
    startFault: 'VESTIBULE_SECRET_KEY: must be the secret key of the service, not a placeholder',
  },
  {
    key: 'config-module-commonjs',
    mistake: 'The configuration module ends in .js in a folder whose package.json says commonjs.',
    log: 'none', reader: 'none', words: 'none', hint: 'none',
    check: { status: 'fail', name: 'settings', message: 'VESTIBULE_CONFIG: the file is loaded as CommonJS; rename it to .mjs' },
    startFault: 'VESTIBULE_CONFIG: the file is loaded as CommonJS; rename it to .mjs, or set "type": "module" in its package.json',
  },
  {
    key: 'config-module-without-package',
    mistake: 'The configuration module imports @vestibule/bff in a folder where it is not installed.',
    log: 'none', reader: 'none', words: 'none', hint: 'none',
    check: { status: 'fail', name: 'settings', message: 'VESTIBULE_CONFIG: the file imports @vestibule/bff, which is not installed there' },
    startFault: 'VESTIBULE_CONFIG: the file imports @vestibule/bff, which is not installed there; run "npm install @vestibule/bff" in the file\'s folder '
      + 'or a folder above it, or export the object without defineConfig; a global installation is not found',
  },
  {
    key: 'csp-connect-src',
    mistake: 'The Content-Security-Policy of the page lacks the BFF in connect-src.',
    log: 'none', reader: 'none', words: NOT_ALLOWED,
    hint: 'Vestibule: The Content-Security-Policy of this page blocks requests to the BFF. Add {bff origin} to connect-src. See docs/troubleshooting.md#csp-connect-src',
    check: 'none',
  },
  {
    key: 'csp-script-src',
    mistake: 'The Content-Security-Policy of the page lacks the BFF in script-src.',
    log: 'none', reader: 'none', words: 'none', hint: 'none', check: 'none',
  },
  {
    key: 'trusted-types',
    mistake: 'The page requires Trusted Types and does not allow the policy lit-html.',
    log: 'none', reader: 'none', words: 'The comment box could not be loaded here. Write a comment on its own page',
    hint: 'Vestibule: The Content-Security-Policy of this page does not allow the Trusted Types policy of the widget from {bff}/. Add lit-html to trusted-types, with \'allow-duplicates\' if the page has another copy of Lit. See docs/troubleshooting.md#trusted-types',
    check: 'none',
  },
  {
    key: 'wrong-bff-address',
    mistake: 'The attribute bff names another path or host.',
    log: 'none', reader: 'none', words: NOT_FOUND, hint: NOT_FOUND_HINT, check: 'none',
  },
] as const satisfies readonly Mistake[];

export type MistakeKey = (typeof mistakes)[number]['key'];

/** Mistakes in a page: no request reaches the BFF. The widget's tests make them. */
export const pageMistakes = ['csp-connect-src', 'csp-script-src', 'trusted-types', 'wrong-bff-address'] as const satisfies readonly MistakeKey[];
