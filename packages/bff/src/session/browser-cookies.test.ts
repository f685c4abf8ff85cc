import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Cookies } from '../http/cookies.ts';
import { serve, type Served } from '../http/_serve.ts';
import { ReaderCookies } from './reader.ts';

function serveReader(): Promise<Served> {
  const cookies = new ReaderCookies(
    new Cookies({ cookieSecrets: ['a-cookie-secret-of-at-least-32-bytes'], secure: true }),
    { sessionAbsoluteSeconds: 100, syncSeconds: 10 },
  );
  return serve((req, res) => {
    if (req.path === '/session') cookies.setSessionId(res, 'session-id');
    const attempt = req.path === '/attempt' ? cookies.addAttempt(res) : undefined;
    res.json({ attempt, handles: cookies.handles(req) });
  });
}

const linesOf = (res: { headers: Record<string, unknown> }) => res.headers['set-cookie'] as string[];
const pairOf = (line: string | undefined) => (line ?? '').split(';')[0] ?? '';

describe('ReaderCookies', () => {
  it('holds the session in one Strict cookie for the absolute lifetime', async () => {
    await using served = await serveReader();
    const [line, ...rest] = linesOf(await served.request.get('/session'));
    assert.match(line ?? '', /^__Host-Http-vestibule=s%3Asession-id\.\S+; Max-Age=100; Path=\/; .*HttpOnly; Secure; SameSite=Strict$/);
    assert.deepEqual(rest, []);
  });

  it('holds each attempt in a Lax cookie of its own for the time of a sync', async () => {
    await using served = await serveReader();
    const [one, other] = [await served.request.get('/attempt'), await served.request.get('/attempt')];
    assert.match(linesOf(one)[0] ?? '', /^__Host-Http-vestibule-attempt-[\w-]{8}=s%3A\S+; Max-Age=10; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
    assert.notEqual(pairOf(linesOf(one)[0]).split('=')[0], pairOf(linesOf(other)[0]).split('=')[0]);
  });

  it('names every handle of a browser, the session\'s first', async () => {
    await using served = await serveReader();
    const session = await served.request.get('/session');
    const [one, other] = [await served.request.get('/attempt'), await served.request.get('/attempt')];
    const cookie = [one, other, session].map((res) => pairOf(linesOf(res)[0])).join('; ');
    const { body } = await served.request.get('/').set('Cookie', cookie);
    const idOf = (res: { body: unknown }) => (res.body as { attempt: string }).attempt;
    assert.deepEqual((body as { handles: string[] }).handles, ['session-id', idOf(one), idOf(other)]);
  });

  it('names none where there are no cookies', async () => {
    await using served = await serveReader();
    assert.deepEqual((await served.request.get('/')).body, { handles: [] });
  });
});
