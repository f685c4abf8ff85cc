/** The publisher's hooks, or those of a ready-made thread: one table, and their caller. Each runs bounded in time, its result is
 *  checked, and the log line of a failure names it. */

import type { Logger } from 'pino';
import * as z from 'zod';
import type { Config } from '../config/config.ts';
import type { HookTools, PostHooks, SignedRequests, ValidationHooks } from '../config/types.ts';
import { boundedText, localizedText, nonEmptyText } from '../input.ts';
import { plainText } from '../lib/text.ts';
import { withDeadline } from '../lib/time.ts';
import { ENTRY, postEntry } from './post-entry.ts';
import { ProblemError, type Diagnosis } from '../problem.ts';
import type { ServiceClient } from '../service/client.ts';
import type { CallToken } from '../service/response.ts';

/** By the names of the configuration, such as `posts.list`. */
type HookFunctions =
  & { [Name in keyof ValidationHooks as `validation.${Name}`]: ValidationHooks[Name] }
  & { [Name in keyof PostHooks as `posts.${Name}`]: PostHooks[Name] };

export type HookName = keyof HookFunctions;

export type HookContext<N extends HookName> = Omit<Parameters<NonNullable<HookFunctions[N]>>[0], keyof HookTools>;

/** As this module calls them: what they return is checked. */
type Callable = { readonly [N in HookName]?: ((given: HookContext<N> & HookTools) => unknown) | undefined };

/** Parameters of the request itself and attributes of its signature (interface 4.1, 5.2). */
const RESERVED: ReadonlySet<string> = new Set([
  'forum', 'message', 'id', 'nonce', 'body-hash', 'mac', 'access_token', 'client_id', 'client_secret', 'api_key', 'api_secret',
]);

/** Posts of one list. */
const MAX_POSTS = 100;

const accepted = z.strictObject({ ok: z.literal(true) });
const refused = z.strictObject({ ok: z.literal(false), reason: localizedText.optional() });
const refusals = [
  z.strictObject({ ok: z.literal(false), gone: z.literal(true) }),
  z.strictObject({ ok: z.literal(false), gone: z.literal(false).optional(), reason: localizedText.optional() }),
] as const;
const REFUSAL = '{ ok: false, reason? } or { ok: false, gone: true }';

const validationResult = (names: readonly string[]) => z.union([
  accepted,
  z.strictObject({
    ok: z.literal(false),
    retry: z.literal(true),
    fields: z.record(z.string().refine((name) => names.includes(name)), localizedText)
      .refine((corrections) => Object.keys(corrections).length > 0),
  }),
  z.strictObject({ ok: z.literal(false), retry: z.literal(false).optional(), reason: localizedText.optional() }),
]);
const prepareResult = z.union([
  z.strictObject({
    ok: z.literal(true),
    params: z.record(
      z.string().regex(/^[A-Za-z][\w.:-]{0,63}$/).refine((name) => !RESERVED.has(name.toLowerCase())),
      z.union([boundedText(4_096), z.number()]).optional(),
    ).refine((params) => Object.keys(params).length <= 32).optional(),
  }),
  refused,
]);
const createdResult = postEntry.nullish();
const listResult = z.strictObject({
  posts: z.array(z.unknown()).max(MAX_POSTS),
  total: z.number().int().nonnegative().nullish(),
  closed: localizedText.nullish(),
  nextCursor: nonEmptyText(512).nullish(),
});
// The root, replies, and the post itself.
const conversationResult = z.strictObject({ posts: z.array(z.unknown()).max(MAX_POSTS + 1) });
const editResult = z.union([z.strictObject({ ok: z.literal(true), post: postEntry }), ...refusals]);
const removeResult = z.union([accepted, ...refusals]);
const likeResult = z.union([z.strictObject({ ok: z.literal(true), likes: z.int().nonnegative().nullish() }), ...refusals]);

interface Definition<N extends HookName> {
  /** What the hook may return. */
  readonly result: (context: HookContext<N>, config: HooksConfig) => z.ZodType;
  /** The same for the log. */
  readonly expected: string;
  /** What the reader reads after a failure. */
  readonly detail: string;
  /** It runs before anything has an effect: its failure leaves no unknown outcome. */
  readonly isBefore?: true;
  /** It does what the reader pressed: its calls have the places of posts. */
  readonly isAct?: true;
}

const definitions = {
  'validation.validate': {
    result: (_: object, { validation }: HooksConfig) => validationResult(validation.fields.map(({ name }) => name)),
    expected: '{ ok: true }, { ok: false, retry: true, fields } with names of the form\'s fields, or { ok: false, reason }',
    detail: 'This site could not check your answers just now. Nothing is lost: please try again.',
    isBefore: true,
  },
  'validation.onAccepted': {
    result: () => z.unknown(),
    expected: 'anything',
    detail: 'This site could not complete the sign-in just now. Nothing is lost: please try again.',
  },
  'posts.prepare': {
    result: () => prepareResult,
    expected: '{ ok: true, params? } with texts or numbers as values and no reserved names, or { ok: false, reason? }',
    detail: 'This site could not check your comment just now. Your text is kept: please try again.',
    isBefore: true,
  },
  'posts.created': {
    result: () => createdResult,
    expected: `${ENTRY}, or undefined`,
    detail: '',
  },
  'posts.list': {
    result: () => listResult,
    expected: `{ posts, total?, closed?, nextCursor? }, at most ${MAX_POSTS} posts`,
    detail: 'The comments cannot be loaded just now.',
    isBefore: true,
  },
  'posts.conversation': {
    result: () => conversationResult,
    expected: `{ posts }, at most ${MAX_POSTS + 1}`,
    detail: 'The conversation cannot be loaded just now.',
    isBefore: true,
  },
  'posts.count': {
    result: ({ pages }: HookContext<'posts.count'>) => z.array(z.number().int().nonnegative().nullable()).length(pages.length),
    expected: 'a list with a whole number, or null, for each page',
    detail: 'The comments cannot be counted just now.',
    isBefore: true,
  },
  'posts.edit': {
    result: () => editResult,
    expected: `{ ok: true, post: ${ENTRY} }, ${REFUSAL}`,
    detail: 'This site could not change your comment just now. Please try again.',
    isAct: true,
  },
  'posts.remove': {
    result: () => removeResult,
    expected: `{ ok: true }, ${REFUSAL}`,
    detail: 'This site could not remove your comment just now. Please try again.',
    isAct: true,
  },
  'posts.like': {
    result: () => likeResult,
    expected: `{ ok: true, likes? }, ${REFUSAL}`,
    detail: 'This site could not count your like just now. Please try again.',
    isAct: true,
  },
} satisfies Definitions;

type Definitions = { readonly [N in HookName]: Definition<N> };

export type HookResult<N extends HookName> = z.output<ReturnType<(typeof definitions)[N]['result']>>;

type HooksConfig = Pick<Config, 'validation' | 'posts' | 'hookTimeoutMs'>;

/** The reader for whom a hook runs: its calls `asReader`. */
export interface HookReader {
  readonly token: CallToken;
  /** The service no longer accepts the token. */
  readonly end: () => Promise<void>;
}

export interface HooksDeps {
  readonly config: HooksConfig;
  readonly service: Pick<ServiceClient, 'request'>;
  readonly log: Pick<Logger, 'debug'>;
}

export type Hooks = ReturnType<typeof createHooks>;

export function createHooks({ config, service, log }: HooksDeps) {
  const { hookTimeoutMs, validation, posts } = config;
  const hooks: Callable = {
    'validation.validate': validation.validate,
    'validation.onAccepted': validation.onAccepted,
    'posts.prepare': posts.prepare,
    'posts.created': posts.created,
    'posts.list': posts.list,
    'posts.conversation': posts.conversation,
    'posts.count': posts.count,
    'posts.edit': posts.edit,
    'posts.remove': posts.remove,
    'posts.like': posts.like,
  };
  return { has: (name: HookName) => hooks[name] !== undefined, run };

  /** Runs a hook that is there.
   *  @throws {ProblemError} the one that the hook let through; `internal-error`: it threw another error, exceeded its time limit,
   *  or returned something else than its shapes */
  async function run<N extends HookName>(name: N, context: HookContext<N>, reader?: HookReader): Promise<HookResult<N>> {
    const { result, expected, isBefore, isAct }: Definitions[N] = definitions[name];
    const shape = result(context, config);
    let refusal: unknown;
    /** Refuses calls once the hook's time is over: its request has got a response by then. */
    const requestsUntil = (signal: AbortSignal): SignedRequests => ({
      request: async (method, path, params, options) => {
        signal.throwIfAborted();
        const call = service.request(method, path, params, options, { signal, token: reader?.token, isAct });
        return call.catch(async (error: unknown) => {
          if (options?.asReader && error instanceof ProblemError && error.type === 'not-signed-in') {
            refusal = error;
            await reader?.end();
          }
          throw error;
        });
      },
    });
    const late = () => hookFailure(name, `did not settle within ${hookTimeoutMs} ms`);
    return withDeadline(hookTimeoutMs, async (signal) => {
      try {
        const parsed = shape.safeParse(await hooks[name]?.({ ...context, service: requestsUntil(signal), signal }));
        if (parsed.success) return parsed.data as HookResult<N>;
        const members = [...new Set(membersOf(parsed.error.issues))].slice(0, MAX_NAMED_MEMBERS);
        throw hookFailure(name, `returned something else than ${expected}`, { member: plainText(members.join(', ')) });
      } catch (error) {
        // Of a call that is not the reader's, it says nothing about the session.
        if (error instanceof ProblemError && (error.type !== 'not-signed-in' || error === refusal)) throw passedOn(error, name, isBefore);
        if (signal.aborted) throw late();
        // Its message may repeat what a reader wrote.
        const message = plainText(error instanceof Error ? error.message : typeof error);
        log.debug({ hook: name, err: error, error_message: message }, 'a hook threw');
        throw hookFailure(name, 'threw', {}, error);
      }
    }, late);
  }
}

/** @param what the hook did wrong, for the log */
export function hookFailure(name: HookName, what: string, more: Diagnosis = {}, cause?: unknown): ProblemError {
  const diagnosis = { reason: `The hook ${name} ${what}.`, setting: 'VESTIBULE_CONFIG', ...more };
  return new ProblemError('internal-error', { detail: definitions[name].detail, cause, diagnosis });
}

const MAX_NAMED_MEMBERS = 5;

/** The problem that a hook let through, whose log line names the hook. */
function passedOn({ type, detail, diagnosis, options }: ProblemError, hook: string, isBefore = false): ProblemError {
  const named = new ProblemError(type, { ...options, detail, diagnosis: { ...diagnosis, hook } });
  return isBefore ? beforeEffect(named) : named;
}

/** The problem of a hook that runs before anything has an effect. */
function beforeEffect(problem: ProblemError): ProblemError {
  const { type, diagnosis } = problem;
  return type === 'outcome-unknown' ? new ProblemError('service-unavailable', { retryAfterSeconds: 2, diagnosis }) : problem;
}

/** Paths of the members at fault, such as `params.thread`. Of the shapes of a union, the one with the fewest faults was meant. */
function membersOf(issues: readonly z.core.$ZodIssue[], base: readonly PropertyKey[] = []): string[] {
  return issues.flatMap((issue): string[] => {
    const path = [...base, ...issue.path];
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      return issue.errors.map((branch) => membersOf(branch, path)).reduce((best, one) => (one.length < best.length ? one : best));
    }
    const keys = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
    return keys.map((key) => key.map(String).join('.') || 'the result itself');
  });
}
