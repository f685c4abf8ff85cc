/** Entries of the outbox in the box: where they stand, what they say, and where the focus goes. */

import { expect } from '@open-wc/testing';
import type { ListedPost } from '@vestibule/shared';
import { TestBff } from '../_bff.ts';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import { Box, FIELD, letPass, openBox, openSignedIn, replace, type BoxOptions } from './_box.ts';
import type { VestibuleComments } from './vestibule-comments.ts';

const REFUSED: ScriptedAnswer = { problem: 'post-rejected', detail: 'Be kind.' };
const BUSY: ScriptedAnswer = { problem: 'service-unavailable', headers: { 'Retry-After': '50' } };

const listed = (id: string, message = `post ${id}`, more: Partial<ListedPost> = {}): ListedPost => (
  { id, author: { username: 'Grace' }, message, created_at: '2026-06-09T20:00:00Z', ...more }
);

/** Ada’s box; the next posts get these answers. */
async function open(answers: readonly ScriptedAnswer[], options: BoxOptions = {}): Promise<Box> {
  const box = await openSignedIn(options);
  await box.bff.set({ answers: { 'POST /posts': answers } });
  return box;
}

/** The same, with the thread. */
async function openThread(answers: readonly ScriptedAnswer[], list: object = {}, options: BoxOptions = {}): Promise<Box> {
  const bff = new TestBff();
  await bff.set({ answers: { 'GET /posts': [{ json: { posts: [listed('a'), listed('b')], replies: true, ...list } }] } });
  const box = await open(answers, { bff, ...options, attributes: { 'show-posts': '', ...options.attributes } });
  await box.until(() => box.all('vestibule-thread').length === 1, 'the thread');
  if (!options.content) await box.says('post b');
  return box;
}

const messagesOf = (box: Box): string[] => box.all('[part~=message]').map(({ textContent }) => textContent);
const rowOf = (box: Box, text: string): HTMLElement => {
  const item = box.all('li').findLast((one) => one.querySelector('[part~=message]')!.textContent === text)!;
  return item.querySelector<HTMLElement>('.entry')!;
};
const sayOf = (box: Box, text: string): string => rowOf(box, text).querySelector('.say')!.textContent.replace(/\s+/g, ' ').trim();
const act = (box: Box, text: string, name: string): HTMLElement => (
  [...rowOf(box, text).querySelectorAll<HTMLElement>('.entry-acts button')].find(({ textContent }) => textContent === name)!
);

/** The thread reads the next list, which has the first post of this browser as its last one. */
async function seeNews(box: Box): Promise<void> {
  const id = String((await box.bff.posts())[0]!['id']);
  await box.bff.set({ answers: { 'GET /posts': [{ json: { posts: [listed('b'), listed(id, 'hello')], total: 7 } }] } });
  letPass(61_000);
  document.dispatchEvent(new Event('visibilitychange'));
  await box.until(() => box.part('count')?.textContent.startsWith('7'), 'the list that has it');
}

async function reply(box: Box, to: number, text: string): Promise<void> {
  box.all('.reply').filter((one) => one.checkVisibility())[to]!.click();
  await box.until(() => box.all('vestibule-comments')[0]?.shadowRoot?.querySelector('textarea'), 'the composer');
  const composer = new Box(box.bff, box.all<VestibuleComments>('vestibule-comments')[0]!);
  await composer.isSignedIn('Ada');
  composer.write(text);
  await composer.press('Post reply');
}

describe('what release 0.3 has stored', () => {
  it('stands below the box in the visit that reads it: a held comment, and one that may be posted', async () => {
    const bff = new TestBff();
    const page = 'https://www.example.com/earlier';
    const [user, at] = [{ user_id: '42', username: 'Ada' }, Date.now() - 11 * 60_000];
    const store = (kind: string, record: object): void => localStorage.setItem(`vestibule:${kind} ${bff.url} 42 news ${page}`, JSON.stringify({ v: 1, ...record }));
    store('posts', { posts: [{ key: 'k', id: '1', user, message: 'held', at, listed: { state: 'pending' } }] });
    store('draft', { text: 'unsure', updatedAt: at, submission: { key: 'l', text: 'unsure', pressedAt: at, sentAt: at } });
    const box = await openSignedIn({ bff, attributes: { page } });
    await box.says('Only you see this until it is approved.');
    await box.until(() => box.field.value === '', 'an empty field');
    expect(messagesOf(box).toSorted()).to.deep.equal(['held', 'unsure']);
  });
});

for (const [where, openIt] of [['without a thread', open], ['in the thread', openThread]] as const) {
  describe(`an entry, ${where}`, () => {
    it('stands first in the list of the reader’s comments at the press, and the field is empty, free and focused', async () => {
      const box = await openIt([BUSY, { hold: 'second' }]);
      await box.post('first');
      await box.says('Trying again in');
      box.element.focus();
      box.write('second');
      box.pressKeys();
      await box.element.updateComplete;
      await box.says('Posting…');
      expect(messagesOf(box).slice(0, 2)).to.deep.equal(['second', 'first']);
      expect(box.all('ol')[0]!.ariaLabel).to.equal('Your comments');
      expect([box.field.value, box.field.readOnly, box.focus]).to.deep.equal(['', false, FIELD]);
      await box.bff.release('second');
    });

    for (const width of [288, 358, 700]) {
      it(`has one height in all of its states: ${width} pixels`, async () => {
        const box = await openIt([
          { hold: 'first', cut: true }, { hold: 'again', carriedOut: true }, { problem: 'not-signed-in' },
        ]);
        box.element.parentElement!.style.inlineSize = `${width}px`;
        const heights: number[] = [];
        const measure = async (sentence: string): Promise<void> => {
          await box.until(() => box.words.includes(sentence), sentence);
          const [item] = box.all('li').filter((one) => one.querySelector('[part~=message]')!.textContent === 'hello');
          await new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });
          await box.until(() => item!.querySelector('.byline')!.checkVisibility({ contentVisibilityAuto: true }), 'its layout');
          heights.push(item!.getBoundingClientRect().height);
        };
        await box.post('hello');
        await measure('Posting…');
        await box.bff.release('first');
        await measure('Not confirmed yet. Trying again in');
        act(box, 'hello', 'Stop').click();
        await measure('Is it in the comments?');
        act(box, 'hello', 'Post again').click();
        await box.bff.release('again');
        await measure('Your comment is posted.');
        await box.post('hello');
        await measure('You are no longer signed in.');
        expect(heights).to.deep.equal(heights.map(() => heights[0]));
      });
    }

    it('that is stopped is told with the reason that its row has', async () => {
      const box = await openIt([BUSY]);
      await box.post('hello');
      await box.says('Trying again in');
      act(box, 'hello', 'Stop').click();
      const sentence = 'Not posted: Comments are not available right now.';
      await box.until(() => box.all('#said')[0]!.textContent === sentence, sentence);
      expect(sayOf(box, 'hello')).to.equal(sentence);
    });

    it('is told once, with its reason and its reference, and says it again of another one', async () => {
      const instance = 'urn:vestibule:request:0f9a3c51-7d1e-4c22-9a55-0123456789ab';
      const refused = { ...REFUSED, instance };
      const box = await openIt([refused, refused]);
      const said: string[] = [];
      const region = box.all('#said')[0]!;
      const observer = new MutationObserver(() => said.push(region.textContent));
      observer.observe(region, { childList: true, characterData: true, subtree: true });
      const sentence = 'Not posted: The editors’ rules do not allow this comment. Be kind. Reference: 0f9a3c51';
      for (const text of ['first', 'second']) {
        said.length = 0;
        await box.post(text);
        await box.until(() => said.at(-1) === sentence, sentence);
        expect(said.filter((one) => one === sentence)).to.have.length(1);
        expect(sayOf(box, text)).to.equal(sentence);
      }
      observer.disconnect();
    });

    it('that changes its buttons while one has the focus gives it to its row', async () => {
      const box = await openIt([REFUSED, { hold: 'again' }]);
      await box.post('hello');
      await box.says('Be kind.');
      const button = act(box, 'hello', 'Try again');
      button.focus();
      button.click();
      await box.hasFocusOn('Posting…');
      await box.bff.release('again');
      await box.says('Your comment is posted.');
      await box.until(() => box.focus.startsWith('Ada'), 'the focus on the comment');
    });

    it('that is deleted offers Undo in its place, with the focus, which goes to the next entry after ten seconds', async () => {
      const box = await openIt([REFUSED, REFUSED]);
      for (const text of ['first', 'second']) {
        await box.post(text);
        await box.until(() => rowOf(box, text) && sayOf(box, text).includes('Be kind.'), 'the refusal');
      }
      const remove = (text: string): void => {
        act(box, text, 'Delete').focus();
        act(box, text, 'Delete').click();
      };
      const isSaid = (text: string): Promise<void> => box.until(() => box.all('#said')[0]!.textContent === text, `said: “${text}”`);
      remove('second');
      await box.hasFocusOn('Undo');
      await isSaid('Your comment was deleted.');
      await box.press('Undo');
      await box.until(() => box.focus.startsWith('Not posted'), 'the focus on the row');
      await isSaid(sayOf(box, 'second')!);
      expect(messagesOf(box).slice(0, 2)).to.deep.equal(['second', 'first']);
      const { setTimeout } = window;
      const ends: (() => void)[] = [];
      replace(window, { setTimeout: (run: () => void, ms = 0, ...rest: []) => (
        ms > 5_000 ? ends.push(run) : setTimeout(run, ms, ...rest)
      ) });
      for (const [text, focus] of [['second', /^Not posted/], ['first', /^Your comment$/]] as const) {
        remove(text);
        await box.hasFocusOn('Undo');
        letPass(11_000);
        ends.at(-1)!();
        await box.until(() => !messagesOf(box).includes(text) && focus.test(box.focus), `the focus on ${String(focus)}`);
      }
    });

    it('that the reader has found in the list gives the focus to the next entry', async () => {
      const box = await openIt([REFUSED, { problem: 'outcome-unknown' }]);
      await box.post('first');
      await box.says('Be kind.');
      await box.post('second');
      await box.says('We could not confirm');
      act(box, 'second', 'It’s there').focus();
      act(box, 'second', 'It’s there').click();
      await box.until(() => box.focus.startsWith('Not posted'), 'the focus on the next entry');
      expect(messagesOf(box)).to.not.include('second');
    });
  });
}

describe('an entry', () => {
  it('offers “Show more” only where its sentence is cut', async () => {
    const box = await open([REFUSED, { ...REFUSED, detail: 'Be kind, and say something that was not said before. '.repeat(5) }]);
    box.element.parentElement!.style.inlineSize = '700px';
    await box.post('short');
    await box.says('Be kind.');
    expect(box.offers('Show more')).to.equal(false);
    await box.post('long');
    await box.until(() => box.offers('Show more'), 'the button');
    const { height } = rowOf(box, 'long').getBoundingClientRect();
    expect(height).to.equal(rowOf(box, 'short').getBoundingClientRect().height);
    await box.press('Show more');
    await box.until(() => box.offers('Show less'), 'the other button');
    expect(rowOf(box, 'long').getBoundingClientRect().height).to.be.above(height);
  });

  it('has the focus after a press on a device without a keyboard', async () => {
    const { matchMedia } = window;
    replace(window, { matchMedia: (query: string) => (query.includes('coarse') ? { matches: true } : matchMedia(query)) });
    const box = await open([{ hold: 'post' }]);
    await box.post('hello');
    await box.hasFocusOn('Posting…');
    await box.bff.release('post');
    await box.until(() => box.focus.startsWith('Ada'), 'the focus on the comment');
  });

  it('of another article is told by the box that was used last, with a link to the address of the press', async () => {
    const [page, next] = ['https://www.example.com/one', 'https://www.example.com/two'];
    const box = await open([{ ...REFUSED, hold: 'post' }], { attributes: { page } });
    const unused = await openBox({ bff: box.bff, attributes: { page: 'https://www.example.com/three' } });
    await unused.isSignedIn('Ada');
    await box.post('hello');
    await box.hasAsked('POST /posts', 1);
    box.element.page = next;
    await box.until(() => !messagesOf(box).includes('hello'), 'the other article');
    box.turnTo();
    await box.bff.release('post');
    await box.says('Your comment on another page was not posted. Show it');
    expect([(box.button('Show it') as unknown as HTMLAnchorElement).href, unused.words.includes('another page')]).to.deep.equal([page, false]);
    box.element.page = page;
    await box.until(() => rowOf(box, 'hello') && sayOf(box, 'hello').includes('Be kind.'), 'the entry at its article');
  });

  it('of a reader who is not proven and has signed in again is not repeated: it may appear twice', async () => {
    const box = await open([{ problem: 'post-in-progress', carriedOut: true, headers: { 'Retry-After': '50' } }]);
    await box.post('hello');
    await box.says('Not confirmed yet.');
    const user = { user_id: '42', username: 'Ada' };
    await box.bff.set({ session: { state: 'signed-in', user, limits: { message_max_length: 5 }, session: 'another' } });
    box.write('12345');
    expect(box.part('counter')).to.equal(undefined);
    box.element.refreshSession();
    await box.until(() => box.part('counter'), 'the session with its limit');
    act(box, 'hello', 'Try now').click();
    await box.until(() => sayOf(box, 'hello').includes('it may appear twice'), 'the doubt');
    expect(await box.bff.requests('POST /posts')).to.have.length(1);
  });

  it('of a reply is shown where the box itself had no use before', async () => {
    const bff = new TestBff();
    await bff.signIn();
    await bff.set({ answers: { 'GET /posts': [{ json: { posts: [listed('a'), listed('b')], replies: true } }], 'POST /posts': [{ hold: 'post' }] } });
    const box = await openBox({ bff, attributes: { 'show-posts': '' }, untouched: true });
    await box.says('post b');
    await reply(box, 0, 'I agree');
    await box.until(() => messagesOf(box).includes('I agree'), 'the reply');
    box.turnTo();
    await box.isSignedIn();
    expect([messagesOf(box).includes('I agree'), sayOf(box, 'I agree')]).to.deep.equal([true, 'Posting…']);
    await bff.release('post');
  });

  it('of a reply stays where a session ended by itself', async () => {
    const box = await openThread([{ status: 401, json: { type: 'urn:vestibule:not-signed-in', title: 'Sign in', status: 401, detail: '', retryable: false } }]);
    await reply(box, 0, 'I agree');
    await box.says('You are no longer signed in.');
    await box.until(() => box.offers('Sign in to comment'), 'the end of the session');
    expect(sayOf(box, 'I agree')).to.equal('You are no longer signed in.');
  });

  it('is shown where the thread does not load', async () => {
    const box = await open([BUSY], { attributes: {} });
    replace(box.element, { hasThread: false });
    box.element.showPosts = true;
    await box.post('hello');
    await box.says('Trying again in');
    expect(box.all('.entries li')).to.have.length(1);
  });

  it('is told where the same is true of another one', async () => {
    const box = await open([{ hold: 'first' }, { hold: 'second' }]);
    const [region] = box.all('#said');
    const said: string[] = [];
    const observer = new MutationObserver(() => said.push(region!.textContent));
    observer.observe(region!, { childList: true, characterData: true, subtree: true });
    await box.post('first');
    await box.until(() => said.join() === 'Posting…', 'the first one');
    await box.post('second');
    await box.until(() => said.join() === 'Posting…,,Posting…', 'the second one');
    observer.disconnect();
    await box.bff.release('first', 'second');
  });
});

describe('an entry in the thread', () => {
  it('of a reply stands where its composer was, which closes at the press, and has the focus', async () => {
    const box = await openThread([{ ...REFUSED, hold: 'post' }], { posts: [listed('b'), listed('a'), listed('c', 'post c', { parent_id: 'a' })] });
    await reply(box, 1, 'I agree');
    // Its author: a live region says what its row has.
    await box.hasFocusOn('Ada');
    expect([box.all('vestibule-comments').length, messagesOf(box)]).to.deep.equal([0, ['post b', 'post a', 'I agree', 'post c']]);
    await box.bff.release('post');
    await box.until(() => sayOf(box, 'I agree').includes('Be kind.'), 'the reason');
    expect(box.focus).to.equal('Ada');
  });

  it('of a reply stands among the others, with whom it answers, where the list has its parent no more', async () => {
    const box = await openThread([BUSY]);
    await reply(box, 0, 'I agree');
    await box.says('Trying again in');
    await box.bff.set({ answers: { 'GET /posts': [{ json: { posts: [listed('b')], replies: true } }] } });
    const [select] = box.all<HTMLSelectElement>('select');
    select!.value = 'oldest';
    select!.dispatchEvent(new Event('change', { bubbles: true }));
    await box.until(() => messagesOf(box).join() === 'I agree,post b', 'the list without the parent');
    expect(box.words).to.contain('In reply to Grace');
  });

  it('stands above the comments that the page has rendered', async () => {
    const content = '<ol slot="posts"><li data-post-id="1">from the server</li></ol>';
    const box = await openThread([BUSY], {}, { content });
    await box.post('hello');
    await box.says('Trying again in');
    expect(rowOf(box, 'hello').getBoundingClientRect().bottom).to.be.at.most(box.element.querySelector('li')!.getBoundingClientRect().top);
  });

  it('is the only one of its comment while its visit lasts, also where the list has it', async () => {
    const box = await openThread([]);
    await box.post('hello');
    await box.says('Your comment is posted.');
    await seeNews(box);
    expect(messagesOf(box)).to.deep.equal(['hello', 'post a', 'post b']);
  });

  it('is of a visit that ends with its own box, not where another box of the article turns to another one', async () => {
    const page = 'https://www.example.com/one';
    const box = await openThread([], {}, { attributes: { page } });
    const other = await openBox({ bff: box.bff, attributes: { page } });
    await other.isSignedIn('Ada');
    await box.post('hello');
    await box.says('Your comment is posted.');
    await other.says('hello');
    other.element.page = 'https://www.example.com/two';
    await other.until(() => !messagesOf(other).includes('hello'), 'the other article');
    await seeNews(box);
    expect(messagesOf(box)).to.deep.equal(['hello', 'post a', 'post b']);
  });
});
