/** Entries of the outbox in the box: where they stand, what they say, and where the focus goes. */

import { expect } from '@open-wc/testing';
import type { ListedPost } from '@vestibule/shared';
import { TestBff } from '../_bff.ts';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import { Box, comeBack, FIELD, letPass, openBox, openSignedIn, replace, type BoxOptions } from './_box.ts';
import type { VestibuleComments } from '../element/vestibule-comments.ts';

const REFUSED: ScriptedAnswer = { problem: 'post-rejected', detail: 'Be kind.' };
const TIRED: ScriptedAnswer = { problem: 'too-many-requests', headers: { 'Retry-After': '600' } };
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

for (const [where, openIt] of [['without a thread', open], ['in the thread', openThread]] as const) {
  describe(`an entry, ${where}`, () => {
    it('stands first in the list of the reader’s comments at the press, and the field is empty, free and focused', async () => {
      const box = await openIt([BUSY, { hold: 'second' }]);
      await box.post('first');
      await box.hasAsked('POST /posts', 1);
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

    it('that is posted goes after ten minutes without a list that has it, in a page that nobody touches', async () => {
      const timers: (() => void)[] = [];
      const { setTimeout } = window;
      replace(window, { setTimeout: (run: () => void, ms = 0, ...rest: []) => (
        ms > 590_000 ? timers.push(run) : setTimeout(run, ms, ...rest)
      ) });
      const box = await openIt([]);
      await box.post('hello');
      await box.says('Your comment is posted.');
      expect(messagesOf(box)[0]).to.equal('hello');
      letPass(600_000);
      for (const run of timers) run();
      await box.until(() => messagesOf(box)[0] !== 'hello', 'the end of the entry');
    });

    it('that is stopped is told with the reason that its row has', async () => {
      const box = await openIt([BUSY]);
      await box.post('hello');
      await box.hasAsked('POST /posts', 1);
      letPass(11_000);
      comeBack();
      await box.says('Trying again.');
      act(box, 'hello', 'Stop').click();
      const sentence = 'Not posted: Comments are not available right now. Please try again in a moment.';
      await box.until(() => box.all('#said')[0]!.textContent === sentence, sentence);
      expect(sayOf(box, 'hello')).to.equal(sentence);
    });

    it('is told once, with its reason, and says it again of another one', async () => {
      const instance = 'urn:vestibule:request:0f9a3c51-7d1e-4c22-9a55-0123456789ab';
      const refused = { ...REFUSED, instance };
      const box = await openIt([refused, refused]);
      const said: string[] = [];
      const region = box.all('#said')[0]!;
      const observer = new MutationObserver(() => said.push(region.textContent));
      observer.observe(region, { childList: true, characterData: true, subtree: true });
      const sentence = 'Not posted: The editors’ rules do not allow this comment. Be kind.';
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
      const box = await openIt([TIRED, { hold: 'again' }]);
      await box.post('hello');
      await box.says('Too many attempts.');
      const button = act(box, 'hello', 'Try again');
      button.focus();
      button.click();
      await box.hasFocusOn('Posting…');
      await box.bff.release('again');
      await box.says('Your comment is posted.');
      await box.until(() => box.focus.startsWith('Ada'), 'the focus on the comment');
    });

    it('that is deleted gives the focus to the next entry', async () => {
      const box = await openIt([REFUSED, { problem: 'outcome-unknown' }]);
      await box.post('first');
      await box.says('Be kind.');
      await box.post('second');
      await box.says('We could not confirm');
      act(box, 'second', 'Delete').click();
      await box.hasFocusOn('Keep');
      rowOf(box, 'second').querySelector<HTMLElement>('.question .danger')!.focus();
      rowOf(box, 'second').querySelector<HTMLElement>('.question .danger')!.click();
      await box.until(() => box.focus.startsWith('Not posted'), 'the focus on the next entry');
      expect(messagesOf(box)).to.not.include('second');
    });
  });
}

describe('an entry', () => {
  it('has the focus after a press on a device without a keyboard', async () => {
    const { matchMedia } = window;
    replace(window, { matchMedia: (query: string) => (query.includes('coarse') ? { matches: true } : matchMedia(query)) });
    const box = await open([{ hold: 'post' }]);
    await box.post('hello');
    await box.hasFocusOn('Posting…');
    await box.bff.release('post');
    await box.until(() => box.focus.startsWith('Ada'), 'the focus on the comment');
  });

  it('that is not posted is shown at every article, with a link to its own and without Edit', async () => {
    const [page, next] = ['https://www.example.com/one', 'https://www.example.com/two'];
    const box = await open([{ ...TIRED, hold: 'post' }], { attributes: { page } });
    await box.post('hello');
    await box.hasAsked('POST /posts', 1);
    box.element.page = next;
    await box.until(() => box.button('Show it'), 'the link');
    await box.bff.release('post');
    await box.until(() => sayOf(box, 'hello').startsWith('Not posted: Too many attempts.'), 'the reason');
    expect((box.button('Show it') as unknown as HTMLAnchorElement).href).to.equal(page);
    expect(['Try again', 'Edit', 'Delete'].map((name) => box.offers(name))).to.deep.equal([true, false, true]);
    box.element.page = page;
    await box.until(() => box.offers('Edit'), 'its article');
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

  it('is shown where the thread does not load', async () => {
    const box = await open([BUSY], { attributes: {} });
    replace(box.element.box!, { hasThread: false });
    box.element.showPosts = true;
    await box.post('hello');
    await box.says('Posting…');
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
    await box.until(() => messagesOf(box).includes('I agree'), 'the reply');
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
    await box.says('Posting…');
    expect(rowOf(box, 'hello').getBoundingClientRect().bottom).to.be.at.most(box.element.querySelector('li')!.getBoundingClientRect().top);
  });

  it('is the only one of its comment while its visit lasts, also where the list has it', async () => {
    const box = await openThread([]);
    await box.post('hello');
    await box.says('Your comment is posted.');
    await seeNews(box);
    expect(messagesOf(box)).to.deep.equal(['hello', 'post a', 'post b']);
  });
});
