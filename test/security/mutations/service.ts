/** Mutations of the protections against the service: its responses, failures and clock. */

import type { Mutation } from './mutation.ts';

const bff = 'packages/bff/src';
const service = 'test/security/hostile-service.test.ts';

export const serviceMutations: readonly Mutation[] = [
  {
    name: 'a response without an end is read for ever',
    file: `${bff}/service/http-transport.ts`,
    find: 'this.#size <= MAX_BODY_SIZE',
    replace: 'true',
    test: { file: service, name: 'that responds to a post with 1.5 MiB of JSON: outcome-unknown' },
  },
  {
    name: 'a 2xx that cannot be read counts as created',
    file: `${bff}/service/service-response.ts`,
    find: 'if (json === undefined) throw unreadable();',
    replace: '',
    test: { file: service, name: 'that responds to a post with a page with a script: outcome-unknown' },
  },
  {
    name: 'a 503 of a gateway counts as not carried out',
    file: `${bff}/service/service-response.ts`,
    find: '(hasEnvelope || retryAfter !== undefined)',
    replace: 'true',
    test: { file: service, name: 'that responds to a post with a 503 without Retry-After: outcome-unknown' },
  },
  {
    name: 'the service echoes keys and tokens to the reader',
    file: `${bff}/service/redact.ts`,
    find: 'if (!isOdd && !this.reveals(text)) return text;',
    replace: 'return text;',
    test: { file: service, name: 'security review 12: that echoes keys, codes and tokens delivers none of them to a reader or to the log' },
  },
  {
    name: 'the service returns the secret key as the reader\'s name',
    file: `${bff}/service/token-exchange.ts`,
    find: 'if ([user.userId, user.username].some(',
    replace: 'if ([].some(',
    test: { file: `${bff}/service/token-exchange.test.ts`, name: 'is bad-service-response if the user contains the secret key, the code or a token' },
  },
  {
    name: 'a created post has the secret key as the name of a member',
    file: `${bff}/service/redact.ts`,
    find: 'this.reveals(name) ? REDACTED : name, this',
    replace: 'name, this',
    test: { file: `${bff}/service/redact.test.ts`, name: 'redacts names of members' },
  },
  {
    name: 'a created post has the secret key in two members',
    file: `${bff}/service/redact.ts`,
    find: 'return this.#isRevealedBy(redacted) ? undefined : redacted;',
    replace: 'return redacted;',
    test: { file: `${bff}/service/redact.test.ts`, name: 'is undefined if a secret is spread over elements, members or names' },
  },
  {
    name: 'a message has the secret key in an unknown encoding',
    file: `${bff}/service/redact.ts`,
    find: '> MAX_ODD_LENGTH;',
    replace: '> Infinity;',
    test: { file: `${bff}/service/redact.test.ts`, name: 'keeps less than half of a key or token in any encoding that is not made of words' },
  },
  {
    name: 'one reader opens the circuit breaker for all',
    file: `${bff}/service/operation-policy.ts`,
    find: 'this.#partitions.add(partition ?? ',
    replace: 'this.#partitions.add(',
    test: { file: service, name: 'security review 11: that responds to one reader with failures alone does not affect the others' },
  },
  {
    name: 'calls of a hook without a token open the circuit breaker for all hooks',
    file: `${bff}/service/service-client.ts`,
    find: '? `${request.method} ${path.split(\'?\', 1)[0]}` : sha256(accessToken)',
    replace: '? undefined : sha256(accessToken)',
    test: { file: `${bff}/service/service-client.test.ts`, name: 'stays open to other paths and to other partitions if calls without a token fail at one path' },
  },
  {
    name: 'anonymous reads make the hooks of readers fail: hooks share a partition',
    file: `${bff}/config/run-hook.ts`,
    find: '{ ...options, partition }',
    replace: '{ ...options }',
    test: { file: `${bff}/config/run-hook.test.ts`, name: "makes the hook's calls of the service in its partition" },
  },
  {
    name: 'a wrong Date header breaks signatures that work',
    file: `${bff}/service/signed-sender.ts`,
    find: 'const { correctionMs } = clock;',
    replace: 'const correctionMs = clock.driftMs ?? 0;',
    test: { file: service, name: 'security review 12: with a Date header an hour ahead of its clock breaks no signature' },
  },
  {
    name: 'a 401 over the time signs the reader out',
    file: `${bff}/service/service-response.ts`,
    find: ' && !isClockDisputed',
    replace: '',
    test: { file: service, name: 'security review 12: a bare 401 ends no session while the Date header is an hour ahead of the clock' },
  },
  {
    name: 'one address fills the queue of the token exchange',
    file: `${bff}/service/operation-policy.ts`,
    find: 'const PARTITION_SHARE = 1 / 4;',
    replace: 'const PARTITION_SHARE = 1;',
    test: { file: `${bff}/service/operation-policy.test.ts`, name: 'one partition occupies a quarter of the slots and of the queue: others are admitted at once' },
  },
  {
    name: 'a response of any depth is parsed',
    file: `${bff}/service/service-response.ts`,
    find: 'if (!isWithinJsonDepth(text)) return undefined;',
    replace: '',
    test: { file: service, name: 'that responds to a post with JSON 100 levels deep: outcome-unknown' },
  },
  {
    name: 'a refusal’s line breaks and bidi marks reach the reader',
    file: `${bff}/lib/text.ts`,
    find: ".replace(UNPRINTABLE, ' ')",
    replace: '',
    test: { file: service, name: 'that responds to a post with a refusal with line breaks and bidi marks: service-refused' },
  },
  {
    name: 'a token that breaks a header is kept',
    file: `${bff}/service/token-exchange.ts`,
    find: '!isQuotable(accessToken) || ',
    replace: '',
    test: { file: service, name: 'that responds to a token exchange with a token that breaks a header: bad-service-response' },
  },
];
