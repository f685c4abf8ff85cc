import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { NoResponseError, type ServiceResponse } from './http-transport.ts';
import { NotAdmittedError } from './operation-policy.ts';
import { Redactor } from './redact.ts';
import { isAccepted, isOutage, jsonOf, messageOf, problemOfFailure, resultOf, retryAfterSeconds, serviceRefused } from './service-response.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

function respond(status: number, body: unknown = '', headers: ServiceResponse['headers'] = {}): ServiceResponse {
  const bytes = Buffer.isBuffer(body) || body === undefined ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { status, headers, body: bytes, sentAt: NOON, receivedAt: NOON };
}

const envelope = (code: number, response: unknown = 'message') => ({ code, response });
const redactor = new Redactor(['the-secret-key', 'the-access-token']);
const resultOrProblem = (response: ServiceResponse, method?: string): unknown => {
  try {
    return resultOf(response, redactor, method);
  } catch (error) {
    return (error as { type: string }).type;
  }
};

/** Bodies that cannot be read. */
const unreadable: Readonly<Record<string, unknown>> = {
  'an empty body': '',
  'a page': '<html>',
  'cut JSON': '{"code":0',
  'JSON with something after it': '{}{}',
  'invalid UTF-8': Buffer.from('"\xff"', 'latin1'),
  'JSON that nests too deep': '['.repeat(33) + ']'.repeat(33),
  'a compressed body': gzipSync('{}'),
  'a body larger than 1 MiB': undefined,
};

describe('jsonOf', () => {
  it('reads JSON under any content type, also without one', () => {
    for (const type of ['application/json', 'text/html', 'nonsense', undefined]) {
      assert.deepEqual(jsonOf(respond(200, '{"a":1}', { 'content-type': type })), { a: 1 }, type);
    }
  });

  for (const [name, body] of Object.entries(unreadable)) {
    it(`is undefined for ${name}`, () => { assert.equal(jsonOf(respond(200, body)), undefined); });
  }
});

describe('resultOf', () => {
  it('unwraps the envelope of a success and takes any other JSON as it is', () => {
    assert.deepEqual(resultOf(respond(200, envelope(0, { id: '1' })), redactor), { id: '1' });
    assert.deepEqual(resultOf(respond(201, { id: '1' }), redactor), { id: '1' });
    assert.deepEqual(resultOf(respond(200, { code: '0', response: 1 }), redactor), { code: '0', response: 1 });
    assert.deepEqual(resultOf(respond(200, [1]), redactor), [1]);
    assert.equal(resultOf(respond(200, 'null'), redactor), null);
  });

  it('is undefined for a success without a body by definition', () => {
    assert.equal(resultOf(respond(204), redactor), undefined);
    assert.equal(resultOf(respond(205), redactor), undefined);
    assert.equal(resultOf(respond(200), redactor, 'HEAD'), undefined);
  });

  for (const [name, body] of Object.entries(unreadable)) {
    it(`is outcome-unknown for a 2xx with ${name}`, () => { assert.equal(resultOrProblem(respond(200, body)), 'outcome-unknown'); });
  }

  it('is service-unavailable only if the request was certainly not carried out', () => {
    const retryAfter = { 'retry-after': '7' };
    for (const [response, type] of [
      [respond(429), 'service-unavailable'],
      [respond(429, '<html>'), 'service-unavailable'],
      [respond(503, '', retryAfter), 'service-unavailable'],
      [respond(503, '<html>', retryAfter), 'service-unavailable'],
      [respond(503, envelope(15)), 'service-unavailable'],
      [respond(503), 'outcome-unknown'],
      [respond(503, '<html>'), 'outcome-unknown'],
      [respond(503, '', { 'retry-after': '<script>' }), 'outcome-unknown'],
      [respond(500), 'outcome-unknown'],
      [respond(500, '{"error":"x"}'), 'outcome-unknown'],
      [respond(502, '<html>', retryAfter), 'outcome-unknown'],
      [respond(504), 'outcome-unknown'],
      [respond(599), 'outcome-unknown'],
    ] as const) assert.equal(resultOrProblem(response), type, `${response.status} ${String(response.body)}`);
  });

  it('passes on Retry-After of the service', () => {
    assert.throws(() => resultOf(respond(503, '', { 'retry-after': '17' }), redactor), { retryAfterSeconds: 17 });
  });

  it("is service-refused with the message for the service's own envelope, whatever the status", () => {
    for (const status of [200, 400, 403, 404, 500, 502]) {
      assert.throws(() => resultOf(respond(status, envelope(12, 'No more today')), redactor), { type: 'service-refused', detail: /: No more today$/ }, String(status));
    }
  });

  it('is service-refused with a text of ours for a refusal in another form, or one whose message is no message', () => {
    const ours = { type: 'service-refused', detail: 'The comment service refused the request.' };
    for (const bad of [
      respond(400, '<script>'), respond(403), respond(404, { error: 'canary' }), respond(400, envelope(2, { a: [1] })),
      respond(400, envelope(2, 5)), respond(400, envelope(2, '\0\n')), respond(400, envelope(2, 'x'.repeat(400_000))), respond(400, undefined),
    ]) assert.throws(() => resultOf(bad, redactor), ours);
  });

  it('turns the message into one line of plain text', () => {
    const message = 'You are\r\n<b>banned</b>\u202e';
    assert.throws(() => resultOf(respond(403, envelope(2, message)), redactor), { detail: 'The comment service refused the request: You are <b>banned</b>' });
    assert.throws(() => resultOf(respond(403, envelope(2, 'x '.repeat(900))), redactor), ({ detail }: { detail: string }) => detail.length < 400);
  });

  it('removes the secret key and the access token from the message', () => {
    const message = 'Unknown key the-secret-key with token the-access-token';
    assert.throws(() => resultOf(respond(400, envelope(2, message)), redactor), {
      detail: 'The comment service refused the request: Unknown key [redacted] with token [redacted]',
    });
  });

  it('is not-signed-in for an access token that is no longer valid', () => {
    for (const bad of [respond(401, envelope(18)), respond(200, envelope(18)), respond(401, 'nonsense'), respond(401), respond(401, envelope(4))]) {
      assert.equal(resultOrProblem(bad), 'not-signed-in');
    }
  });

  it('ends no session for a fault of our key, signature or clock', () => {
    assert.equal(resultOrProblem(respond(401, envelope(5, 'Invalid API key'))), 'service-refused');
    assert.equal(resultOrProblem({ ...respond(401), isClockDisputed: true } as ServiceResponse), 'service-refused');
    assert.equal(resultOrProblem({ ...respond(401, envelope(18)), isClockDisputed: true } as ServiceResponse), 'not-signed-in');
  });

  it('is bad-service-response for a redirect and for an informational status', () => {
    for (const bad of [respond(302), respond(307, envelope(0)), respond(304), respond(100)]) {
      assert.equal(resultOrProblem(bad), 'bad-service-response');
    }
  });
});

/** The problem of a response, as the log has it. */
function failureOf(response: ServiceResponse): { readonly diagnosis: unknown; readonly cause: string } {
  try {
    resultOf(response, redactor);
  } catch (error) {
    const { diagnosis, cause } = error as { diagnosis: unknown; cause: Error };
    return { diagnosis, cause: cause.message };
  }
  throw new Error('The response is no failure.');
}

describe('the diagnosis of a refused call', () => {
  const keys = { reason: 'the service refused the keys', setting: 'VESTIBULE_PUBLIC_KEY, VESTIBULE_SECRET_KEY' };

  it('names status, code and message of the service, and the setting to check if the code names one', () => {
    for (const [response, diagnosis] of [
      [respond(401, envelope(5, 'Bad key')), { ...keys, service_status: '401', service_code: '5', service_message: 'Bad key' }],
      [respond(403, envelope(12, 'No')), { service_status: '403', service_code: '12', service_message: 'No' }],
      [respond(400, envelope(2, '')), { service_status: '400', service_code: '2' }],
      [respond(404), { service_status: '404' }],
    ] as const) assert.deepEqual(failureOf(response).diagnosis, diagnosis);
  });

  it('names the keys or the code for an error of OAuth 2', () => {
    const diagnosisOf = (code: string) => serviceRefused({ status: 400, code, message: '' }, new Error('cause')).diagnosis;
    for (const code of ['invalid_client', 'unauthorized_client']) assert.deepEqual(diagnosisOf(code), { ...keys, service_status: '400', service_code: code });
    assert.deepEqual(diagnosisOf('invalid_grant'), {
      reason: 'the service refused the code: it expired, was used before, or the redirect URI is not the registered one',
      setting: 'VESTIBULE_REDIRECT_URI', service_status: '400', service_code: 'invalid_grant',
    });
    for (const code of ['', 'a b', ' a', 'a ', 'x'.repeat(65)]) assert.deepEqual(diagnosisOf(code), { service_status: '400' }, code);
    assert.deepEqual(diagnosisOf('x'.repeat(64)), { service_status: '400', service_code: 'x'.repeat(64) });
  });

  it('says that the service refuses requests for a while', () => {
    const diagnosis = (status: string) => ({ reason: 'the service refuses requests for a while', setting: 'the service', service_status: status });
    assert.deepEqual(failureOf(respond(429)).diagnosis, diagnosis('429'));
    assert.deepEqual(failureOf(respond(503, '', { 'retry-after': '7' })).diagnosis, diagnosis('503'));
  });

  it('says why a call was not made', () => {
    for (const [reason, diagnosis] of [
      ['busy', { reason: 'too many calls to the service wait', setting: 'VESTIBULE_SERVICE_MAX_IN_FLIGHT, VESTIBULE_SERVICE_MAX_QUEUED' }],
      ['open', { reason: 'the circuit breaker is open after failures of the service', setting: 'the service, and the lines before this one' }],
      ['retry-after', { reason: 'the service asked to wait with Retry-After', setting: 'the service' }],
    ] as const) assert.deepEqual(problemOfFailure(new NotAdmittedError(reason)).diagnosis, diagnosis);
    assert.equal(problemOfFailure(new NoResponseError(false, undefined)).diagnosis, undefined);
  });

  it('has a cause with the status and the code', () => {
    for (const [response, cause] of [
      [respond(403, envelope(12)), 'The service responded with status 403 and code 12.'],
      [respond(401), 'The service responded with status 401.'],
      [respond(404), 'The service responded with status 404.'],
      [respond(429), 'The service responded with status 429.'],
      [respond(500), 'The service responded with status 500.'],
      [respond(300), 'The service responded with status 300.'],
      [respond(200, '<html>'), 'The body of a successful response is not JSON.'],
    ] as const) assert.equal(failureOf(response).cause, cause);
    const failure = new NoResponseError(true, undefined);
    assert.equal(problemOfFailure(failure).cause, failure);
    const bug = new TypeError('a bug');
    assert.equal(problemOfFailure(bug).cause, bug);
  });
});

describe('messageOf', () => {
  it('is the text of up to 2,000 characters, and empty for anything else', () => {
    assert.equal(messageOf('x'.repeat(2_000)).length, 2_000);
    for (const value of ['x'.repeat(2_001), 5, null, undefined, {}]) assert.equal(messageOf(value), '');
  });
});

describe('isAccepted', () => {
  it('is true for a 2xx without a refusal in an envelope of the service', () => {
    for (const [response, expected] of [
      [respond(200, envelope(0)), true], [respond(204), true], [respond(299), true],
      [respond(200, envelope(12)), false], [respond(199), false], [respond(300), false], [respond(403), false],
    ] as const) assert.equal(isAccepted(response), expected, String(response.status));
  });
});

describe('retryAfterSeconds', () => {
  const after = (text: string, status = 503) => retryAfterSeconds(respond(status, '', { 'retry-after': text }));

  it('reads seconds and dates, from one second to five minutes', () => {
    assert.deepEqual(['17', '0', '999999', '99999999999999999999'].map((text) => after(text)), [17, 1, 300, 300]);
    assert.equal(after('Sun, 01 Mar 2026 12:00:30 GMT'), 30);
    assert.equal(after('Sun, 01 Mar 2026 11:00:00 GMT'), 1);
    assert.equal(after('17', 429), 17);
  });

  it('is undefined without a valid value, and for other statuses', () => {
    for (const text of ['', 'soon', '-1', '1.5', '<script>', 'Sun, 01 Mar 2026', 'a Sun, 01 Mar 2026 12:00:30 GMT', 'Sun, 01 Mar 2026 12:00:30 GMT+1']) assert.equal(after(text), undefined, text);
    assert.equal(retryAfterSeconds(respond(503)), undefined);
    assert.equal(after('17', 200), undefined);
    assert.equal(after('17', 502), undefined);
  });
});

describe('problemOfFailure', () => {
  it('is outcome-unknown if a byte may have been sent, and service-unavailable if none was', () => {
    assert.equal(problemOfFailure(new NoResponseError(true, undefined)).type, 'outcome-unknown');
    for (const error of [new NoResponseError(false, undefined), new NotAdmittedError('busy'), new NotAdmittedError('open')]) {
      const problems = Array.from({ length: 200 }, () => problemOfFailure(error));
      assert.ok(problems.every(({ type }) => type === 'service-unavailable'));
      assert.deepEqual(new Set(problems.map(({ retryAfterSeconds: seconds = 0 }) => seconds)), new Set([2, 3, 4, 5]));
    }
    assert.equal(problemOfFailure(new NotAdmittedError('retry-after', 30)).retryAfterSeconds, 30);
  });

  it('is internal-error for an error of ours', () => {
    assert.equal(problemOfFailure(new TypeError('a bug')).type, 'internal-error');
  });
});

describe('isOutage', () => {
  it('is true for a 5xx unless it is a refusal in an envelope of the service', () => {
    for (const [response, expected] of [
      [respond(200), false], [respond(401), false], [respond(429), false],
      [respond(500), true], [respond(502, '<html>'), true], [respond(503), true], [respond(503, envelope(15)), true],
      [respond(500, envelope(12)), false], [respond(502, { error: 'invalid_grant' }), false],
      [respond(500, envelope(0)), true], [respond(500, { error: null }), true],
    ] as const) assert.equal(isOutage(response), expected, `${response.status} ${String(response.body)}`);
  });
});
