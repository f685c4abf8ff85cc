import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import express, { type Request } from 'express';
import fc from 'fast-check';
import { pino, type LoggerOptions } from 'pino';
import { problemTypes, type ProblemType } from '@vestibule/shared';
import { notFailures } from '../metrics/metrics.ts';
import { NoResponseError } from '../service/http-transport.ts';
import { NotAdmittedError } from '../service/operation-policy.ts';
import { problemOfFailure } from '../service/service-response.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { Admission } from './admission.ts';
import { createFailureLog } from './failure-log.ts';
import { ProblemError, replayedProblem } from './problem-error.ts';
import { contextOf, requestContext } from './request-context.ts';

type Member = 'level' | 'msg' | 'problem' | 'request_id' | 'user' | 'err' | 'reason' | 'setting' | 'service_message';
type Line = Readonly<Record<Member, unknown>>;

interface Reported {
  readonly lines: readonly Line[];
  readonly counts: readonly unknown[];
}

/** Lines and counts that a failure leaves. */
function reported(problem: ProblemError, req: Request, options: LoggerOptions = {}): Reported {
  const lines: Line[] = [];
  const counts: unknown[] = [];
  const write = (line: string) => { lines.push(JSON.parse(line) as Line); };
  const log = pino({ base: null, timestamp: false, ...options }, { write });
  const metrics = { failures: { inc: (labels: object) => { counts.push(labels); } } };
  createFailureLog({ log, logIdOf: (userId) => `hash of ${userId}`, metrics: metrics as never })(problem, req);
  return { lines, counts };
}

const app = express();

function request(method: string, path: string, more: object = {}): Request {
  return { path, method, headers: {}, app, ...more } as unknown as Request;
}

/** Lines that a failed post leaves. */
function linesOf(problem: ProblemError, message?: string): readonly Line[] {
  return reported(problem, request('POST', '/posts', { body: { message } })).lines;
}

const [WARN, ERROR] = [40, 50];

/** A host's logger may add members to each line. */
const mixin = () => ({ user: 'of the host', err: 'of the host' });

describe('createFailureLog', () => {
  it('leaves the members of a host\'s logger where a failure has none', () => {
    for (const type of ['invalid-request', 'outcome-unknown'] as const) {
      const { lines: [line] } = reported(new ProblemError(type), request('POST', '/posts'), { mixin });
      assert.deepEqual([line?.user, line?.err], ['of the host', 'of the host']);
    }
  });

  for (const [method, path, type, operation, msg] of [
    ['POST', '/posts', 'invalid-request', 'post', 'post failed'],
    ['POST', '/posts/', 'invalid-request', 'post', 'post failed'],
    ['POST', '/posts', 'internal-error', 'post', 'post failed'],
    ['PUT', '/posts', 'method-not-allowed', undefined, undefined],
    ['GET', '/posts', 'forum-not-allowed', 'page', 'page refused'],
    ['GET', '/posts', 'invalid-request', 'page', 'page refused'],
    ['GET', '/posts', 'too-many-requests', undefined, undefined],
    ['GET', '/posts', 'service-unavailable', undefined, 'request failed'],
    ['POST', '/sync', 'cross-site-request', 'sign-in', 'sign-in failed'],
    ['GET', '/sync/return', 'invalid-request', 'sign-in', 'sign-in failed'],
    ['GET', '/sync/return/', 'invalid-request', 'sign-in', 'sign-in failed'],
    ['POST', '/sync/validation', 'invalid-answers', undefined, undefined],
    ['OPTIONS', '/sync', 'cross-site-request', undefined, undefined],
    ['GET', '/synced', 'not-found', undefined, undefined],
    ['POST', '/session', 'invalid-request', undefined, undefined],
    ['GET', '/session', 'internal-error', undefined, 'request failed'],
    ['DELETE', '/session', 'service-unavailable', undefined, 'request failed'],
  ] as const) {
    it(`${method} ${path} with ${type}: ${msg ?? 'no line'}, ${operation ? `counted as ${operation}` : 'not counted'}`, () => {
      const { lines, counts } = reported(new ProblemError(type), request(method, path));
      assert.deepEqual(counts, operation ? [{ operation, problem: type }] : []);
      const level = type === 'internal-error' ? ERROR : WARN;
      assert.deepEqual(lines.map((line) => [line.level, line.msg]), msg === undefined ? [] : [[level, msg]]);
    });
  }

  it('logs a replayed failure at info with the id of the first request, and does not count it again', () => {
    const first = { problem: 'service-refused', detail: 'Refused.', request_id: 'first-request' } as const;
    assert.deepEqual(reported(replayedProblem(first), request('POST', '/posts')), {
      lines: [{
        level: 30,
        request_id: '',
        problem: 'service-refused',
        reason: 'the stored failure of an earlier request',
        first_request_id: 'first-request',
        setting: 'the line of the earlier request',
        msg: 'post failed',
      }],
      counts: [],
    });
  });

  it('logs the id of the request, and a hash that stands for the reader', () => {
    const ids: unknown[] = [];
    const req = request('POST', '/posts', { headersDistinct: {}, get: () => undefined });
    requestContext()(req, { setHeader: (_name: string, id: unknown) => { ids.push(id); } } as never, () => undefined);
    for (const [userId, user] of [[undefined, undefined], ['31007', 'hash of 31007']]) {
      if (userId !== undefined) contextOf(req).userId = userId;
      const { lines: [line] } = reported(new ProblemError('forum-not-allowed'), req);
      assert.deepEqual([line?.request_id, line?.user], [ids[0], user]);
    }
  });

  it('logs the error behind a problem of the server, not of a client', () => {
    const cause = new Error('lost');
    for (const [type, logged] of [
      ['internal-error', 'lost'], ['service-unavailable', 'lost'], ['invalid-request', undefined],
    ] as const) {
      const [line] = linesOf(new ProblemError(type, { cause }));
      assert.equal((line?.err as Error | undefined)?.message, logged, type);
    }
    assert.ok(!('err' in (linesOf(new ProblemError('internal-error'))[0] as object)), 'no err without a cause');
  });
});

describe('the line of a failure', () => {
  for (const type of Object.keys(problemTypes).filter((name) => !notFailures.has(name)) as ProblemType[]) {
    it(`of type ${type} has a reason, and a setting or part to look at`, () => {
      const [line, ...more] = linesOf(new ProblemError(type));
      assert.deepEqual(more, []);
      assert.match(String(line?.reason), /^\w.{9,}/);
      assert.match(String(line?.setting), /^\w.{4,}/);
    });
  }

  const drained = () => {
    const admission = new Admission();
    void admission.close();
    try {
      admission.admit({} as Request, {} as never, () => undefined);
    } catch (error) {
      return error as ProblemError;
    }
    return assert.fail('was admitted');
  };

  for (const [what, problem, reason, setting] of [
    ['a draining BFF', drained(), 'the BFF drains: it was asked to stop', 'the deployment or the process manager'],
    ['an open breaker', problemOfFailure(new NotAdmittedError('open')), 'the circuit breaker is open after failures of the service', 'the service, and the lines before this one'],
    ['a full bulkhead', problemOfFailure(new NotAdmittedError('busy')), 'too many calls to the service wait', 'VESTIBULE_SERVICE_MAX_IN_FLIGHT, VESTIBULE_SERVICE_MAX_QUEUED'],
    ['Retry-After', problemOfFailure(new NotAdmittedError('retry-after', 5)), 'the service asked to wait with Retry-After', 'the service'],
    ['a refused connection', problemOfFailure(new NoResponseError(false, new Error('refused'))), 'the service did not answer', 'VESTIBULE_SERVICE_URL'],
    ['a store that fails', new ProblemError('outcome-unknown', { cause: new StoreUnavailableError(new Error('lost')) }), 'the store did not answer', 'VESTIBULE_STORE'],
  ] as const) {
    it(`names ${what}`, () => {
      const [line] = linesOf(problem);
      assert.deepEqual([line?.reason, line?.setting], [reason, setting]);
    });
  }

  for (const [type, forwarded, trustProxy, setting] of [
    ['too-many-requests', '192.0.2.1', false, 'VESTIBULE_TRUST_PROXY'],
    ['too-many-requests', '192.0.2.1', 1, 'VESTIBULE_RATE_LIMITS'],
    ['too-many-requests', undefined, false, 'VESTIBULE_RATE_LIMITS'],
    ['payload-too-large', '192.0.2.1', false, 'VESTIBULE_MESSAGE_MAX_LENGTH'],
  ] as const) {
    it(`of type ${type} names ${setting}: X-Forwarded-For ${forwarded ?? 'is missing'}, "trust proxy" ${trustProxy}`, () => {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
      const req = request('POST', '/posts', { app: express().set('trust proxy', trustProxy), headers });
      const { lines: [line] } = reported(new ProblemError(type), req);
      assert.equal(line?.setting, setting);
      if (setting === 'VESTIBULE_TRUST_PROXY') assert.match(String(line.reason), /X-Forwarded-For, which is not trusted/);
    });
  }

  it('mixes no reason of the thrower with a setting of the table', () => {
    const [line] = linesOf(new ProblemError('no-sync-in-progress', { diagnosis: { reason: 'a reason' } }));
    assert.deepEqual([line?.reason, line?.setting], ['a reason', undefined]);
  });
});

/** `service_message` of the line about a post of `text` that the service refuses with `message`; `undefined` if it is omitted. */
function messageLogged(text: string, message: string): string | undefined {
  const [line] = linesOf(new ProblemError('service-refused', { diagnosis: { service_message: message } }), text);
  return line?.service_message as string | undefined;
}

describe('a message of the service', () => {
  const folded = (text: string) => text.normalize('NFKD').toLowerCase().toUpperCase().replace(/[^\p{L}\p{N}\p{S}]+/gu, '');

  /** Words and marks as readers write them: short words, other scripts, symbols, combining marks. */
  const texts = fc.array(fc.oneof(
    fc.constantFrom('I', 'am', 'so', 'sad', 'no', 'Straße', 'MAẞ', 'ﬁne', 'naïve', 'ок', '否', '日本', '🎉'),
    fc.constantFrom('3', '-', '!', '"', ' '),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  ), { minLength: 1, maxLength: 12 }).map((words) => `${words.join(' ')}.`);

  const disguises: readonly ((text: string) => string)[] = [
    (text) => text, (text) => text.toUpperCase(), (text) => text.toLowerCase(), (text) => text.normalize('NFD'), (text) => text.normalize('NFKC'),
    (text) => text.replaceAll(' ', ''), (text) => [...text].join(' '), (text) => [...text].join('-'), (text) => text.replaceAll(' ', '", "'),
  ];

  /** The whole text, or what a limit or a search for words leaves of it. */
  const echoes = texts.chain((text) => fc.record({
    text: fc.constant(text),
    from: fc.nat([...text].length - 1),
    length: fc.oneof(fc.constant(Infinity), fc.integer({ min: 4, max: 40 })),
    disguise: fc.constantFrom(...disguises),
    frame: fc.constantFrom(['', ''], ['message "', '" is too short'], ['refused: ', '…'], ['bad words: ', ''], ['(', ')'], ['x', 'x']),
  }));

  it('repeats no word and no run of four characters of the reader\'s text, however it is cut, spread or spelt', () => {
    fc.assert(fc.property(echoes, ({ text, from, length, disguise, frame: [before, after] }) => {
      const echo = disguise([...text].slice(from, from + length).join(''));
      const logged = messageLogged(text, `${before}${echo}${after}`) ?? '';
      const letters = folded(text);
      const wordsOf = (words: string) => words.split(/[^\p{L}\p{N}\p{S}\p{M}]+/u).map(folded).filter((word) => word !== '');
      for (const rest of logged.split('[redacted]')) {
        const part = folded(rest);
        for (let at = 0; at + 4 <= part.length; at += 1) assert.ok(!letters.includes(part.slice(at, at + 4)), logged);
        for (const word of wordsOf(rest)) assert.ok(!wordsOf(text).includes(word), logged);
      }
    }), { numRuns: 1_000 });
  });

  for (const [text, message, logged] of [
    ['I am so sad', 'text "I am so sad" is too short', 'text [redacted] [redacted] [redacted] [redacted] is too short'],
    ['No', 'the message "no" is too short', 'the message [redacted] is too short'],
    ['A canary, мысль', 'message "Canar…" or МЫСЛ is too short', 'message [redacted] or [redacted] is too short'],
    ['a b c d', 'refused: a-b-c-d', 'refused: [redacted]'],
    ['hello you', 'refused: aGVsbG8geW91', 'refused: [redacted]'],
    ['hello you', 'refused: 68656c6c6f', 'refused: [redacted]'],
    ['hello you', 'refused: (1abc), abc1 and abcD', 'refused: [redacted] [redacted] and [redacted]'],
    ['hello you', 'closed at 5pm, go to the FAQ', 'closed at 5pm, go to the FAQ'],
    ['hello', 'refused  to go', 'refused  to go'],
    ['maß', 'refused: MASS', 'refused: [redacted]'],
    ['MAẞ', 'refused: maß', 'refused: [redacted]'],
    ['hello you', 'refused: hello%20you', undefined],
    ['naïve', String.raw`refused: na\u00efve`, undefined],
    ['a < b', 'refused: a &lt; b', undefined],
    ['!?', 'the forum is closed', 'the forum is closed'],
    ['What a match', 'forum 12 is closed until 08:30', 'forum 12 is closed until 08:30'],
  ] as const) {
    it(`about the text ${text}: ${message}`, () => {
      assert.equal(messageLogged(text, message), logged);
    });
  }

  it('is searched in linear time: the longest text and message take less than 50 ms', () => {
    const [text, message] = ['a'.repeat(10_000), 'aaab'.repeat(500)];
    const times = Array.from({ length: 3 }, () => {
      const began = performance.now();
      messageLogged(text, message);
      return performance.now() - began;
    });
    assert.ok(Math.min(...times) < 50, times.join(', '));
  });

  it('stays whole if the request has no text', () => {
    const problem = new ProblemError('service-refused', { diagnosis: { service_message: 'the code has expired' } });
    for (const body of [undefined, {}, { message: undefined }]) {
      const { lines: [line] } = reported(problem, request('GET', '/sync/return', { body }));
      assert.equal(line?.service_message, 'the code has expired');
    }
  });

  it('is omitted if the service sent none', () => {
    const [line] = linesOf(new ProblemError('service-refused'), 'hello');
    assert.deepEqual([line?.problem, line && 'service_message' in line], ['service-refused', false]);
  });
});
