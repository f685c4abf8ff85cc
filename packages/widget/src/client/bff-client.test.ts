import { expect } from '@open-wc/testing';
import { TestBff } from '../_bff.ts';
import { BffClient } from './bff-client.ts';
import { BffError } from './problem.ts';

const post = { forum: 'news', message: 'ünï ✓ 🦊 &=+%20 ~!*\'()', expected_user_id: '42' };

async function failureOf(request: Promise<unknown>): Promise<BffError> {
  const error = await request.then(() => undefined, (reason: unknown) => reason);
  expect(error).to.be.instanceOf(BffError);
  return error as BffError;
}

describe('BffClient', () => {
  let bff: TestBff;
  let client: BffClient;

  beforeEach(() => {
    bff = new TestBff();
    client = new BffClient(new URL(bff.url));
  });

  it('requests the paths of the contract', async () => {
    await client.getSession();
    const { sync } = await client.startSync({
      code: 'c', username: 'Ada', user_id: '42', audiencesync_uri: 'https://service.example/', forum: 'news',
    });
    expect((await client.validate({ sync: sync!.id, username: 'Ada', answers: { age: 40 } })).outcome).to.equal('accepted');
    await client.createPost(post, 'a-key-of-mine');
    await client.signOut();
    expect((await bff.requests()).map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
      'GET /session', 'POST /sync', 'POST /sync/validation', 'POST /posts', 'DELETE /session',
    ]);
  });

  it('reports a page that may not read its posts to the console', async () => {
    const list = { forum: 'news', page: 'https://www.example.com/a' };
    await bff.set({ answers: { 'GET /posts': [{ problem: 'invalid-request' }] } });
    const { error } = console;
    const lines: string[] = [];
    console.error = (line: string) => void lines.push(line);
    try {
      expect((await failureOf(client.listPosts(list))).type).to.equal('cross-site-request');
    } finally {
      console.error = error;
    }
    expect(lines).to.have.length(1);
    expect(lines[0]).to.contain('VESTIBULE_ALLOWED_ORIGINS');
    expect((await bff.requests('GET /posts'))[0]!.query).to.deep.equal(list);
  });

  it('repeats the start of a sign-in with the same key, and starts another one with a new key', async () => {
    const start = (code: string) => client.startSync({ code, username: 'Ada', user_id: '42', audiencesync_uri: 'https://service.example/' });
    for (const code of ['one', 'one', 'other']) await start(code);
    const [first, repeated, other] = (await bff.requests('POST /sync')).map(({ key }) => key);
    expect(first).to.match(/^[\da-f]{32}$/);
    expect([repeated === first, other === first]).to.deep.equal([true, false]);
  });

  it('sends a post unchanged, with its key', async () => {
    await bff.signIn();
    await client.createPost(post, 'a-key-of-mine');
    const [request] = await bff.requests('POST /posts');
    expect([request!.body, request!.key]).to.deep.equal([post, 'a-key-of-mine']);
  });

  it('sends its language', async () => {
    client.language = 'pt';
    await client.getSession();
    expect((await bff.requests())[0]!.language).to.equal('pt');
  });

  it("carries the BFF's problem, and what it asks to wait", async () => {
    await bff.set({ answers: { 'GET /session': [{ problem: 'too-many-requests', headers: { 'Retry-After': '7' } }] } });
    const { type, problem, retryAfterSeconds } = await failureOf(client.getSession());
    expect([type, problem.status, problem.retryable, retryAfterSeconds]).to.deep.equal(['too-many-requests', 429, true, 7]);
  });

  it('accepts a date in Retry-After', async () => {
    const soon = new Date(Date.now() + 30_000).toUTCString();
    await bff.set({ answers: { 'GET /session': [{ problem: 'service-unavailable', headers: { 'Retry-After': soon } }] } });
    expect((await failureOf(client.getSession())).retryAfterSeconds).to.be.within(25, 31);
  });

  it('has one problem for missing and foreign responses', async () => {
    const answers = [
      { cut: true },
      { status: 502, text: '<title>Bad gateway</title>' },
      { status: 200, text: '{"state":', headers: { 'Content-Type': 'application/json' } },
      { status: 200, text: '[]', headers: { 'Content-Type': 'application/json' } },
      { status: 302, text: '', headers: { Location: '/' } },
      { status: 500, text: '{"type":"urn:other"}', headers: { 'Content-Type': 'application/problem+json' } },
    ];
    for (const scripted of answers) {
      await bff.set({ answers: { 'GET /session': [scripted] } });
      const { type, problem } = await failureOf(client.getSession());
      expect([type, problem.retryable], JSON.stringify(scripted)).to.deep.equal(['network', true]);
    }
  });

  it('calls a page that is not the BFF’s not found, and does not ask it again', async () => {
    for (const scripted of [{ status: 200, text: '<title>The article</title>' }, { status: 404, text: '<title>Not found</title>' }]) {
      await bff.set({ answers: { 'GET /session': [scripted], 'POST /posts': [scripted] } });
      const { type, problem } = await failureOf(client.getSession());
      expect([type, problem.retryable], JSON.stringify(scripted)).to.deep.equal(['not-found', false]);
      // The post may have been created.
      expect((await failureOf(client.createPost(post, 'a-key-of-mine'))).type).to.equal('network');
    }
  });

  it('does not mark a refusal without a problem as retryable', async () => {
    await bff.set({ answers: { 'GET /session': [{ status: 403, text: 'No' }] } });
    expect((await failureOf(client.getSession())).problem.retryable).to.equal(false);
  });

  it('rejects with the reason of the signal', async () => {
    await bff.set({ answers: { 'GET /session': [{ hold: 'answer' }] } });
    const controller = new AbortController();
    const request = client.getSession({ signal: controller.signal });
    controller.abort(new Error('gone'));
    expect(await request.catch((error: Error) => error.message)).to.equal('gone');
    await bff.release('answer');
  });

  it('has neither text nor address in error messages', async () => {
    await bff.set({ answers: { 'POST /posts': [{ cut: true }] } });
    const { message } = await failureOf(client.createPost(post, 'a-key-of-mine'));
    expect(message).to.equal('urn:vestibule:network');
  });

  it('builds the URL of an authorization request', () => {
    const url = new URL(client.authorizeUrl({ forum: 'news & views', returnTo: 'https://www.example.com/a?b=c&d#e', display: 'popup' }));
    expect(url.href.startsWith(`${bff.url}sync/authorize?`)).to.equal(true);
    expect(Object.fromEntries(url.searchParams)).to.deep.equal({
      forum: 'news & views', return_to: 'https://www.example.com/a?b=c&d#e', display: 'popup',
    });
  });
});
