import { expect } from '@open-wc/testing';
import { TestBff } from '../_bff.ts';
import { BffClient } from '../api/bff-client.ts';
import { Draft } from '../lib/draft.ts';
import { PostController, type PostHost } from './post-controller.ts';

const host = { isConnected: true, requestUpdate() {} } as unknown as PostHost;
const message = { forum: 'news', message: 'hello' };

afterEach(() => localStorage.clear());

describe('PostController', () => {
  it('sends nothing while a request is under way, whoever asks', async () => {
    const bff = new TestBff();
    await bff.signIn();
    const place = { client: new BffClient(new URL(bff.url)), draft: new Draft(new URL(bff.url), 'news') };
    const poster = new PostController(host);
    const [first, second] = await Promise.all([poster.post(message, place), poster.post(message, place)]);
    expect([first?.['message'], second]).to.deep.equal(['hello', undefined]);
    expect(await bff.requests('POST /posts')).to.have.length(1);
  });

  it('has the key in storage before the request leaves', async () => {
    const bff = new TestBff();
    await bff.signIn();
    const place = { client: new BffClient(new URL(bff.url)), draft: new Draft(new URL(bff.url), 'news') };
    const post = new PostController(host).post(message, place);
    const stored = Object.values({ ...localStorage }).join('');
    await post;
    const [request] = await bff.requests('POST /posts');
    expect(stored).to.contain(request!.key!).and.contain('hello');
  });
});
