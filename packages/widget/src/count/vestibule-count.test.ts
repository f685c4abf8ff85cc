/** `<vestibule-count>` in a page, with a scripted BFF. */

import { expect } from '@open-wc/testing';
import { until } from '../../../../test/lib/until.ts';
import { TestBff } from '../_bff.ts';
import '../count.ts';

const article = (path: string | number): string => `https://paper.example/${path}`;

/** Elements in a container of this language; `content` is text. */
function open(bff: TestBff, pages: readonly string[], attributes: Record<string, string> = {}, content = '', lang = 'en'): HTMLElement[] {
  const container = Object.assign(document.createElement('div'), { lang });
  document.body.append(container);
  removals.push(() => container.remove());
  return pages.map((page) => {
    const element = document.createElement('vestibule-count');
    for (const [name, value] of Object.entries({ forum: 'news', bff: bff.url, page, ...attributes })) element.setAttribute(name, value);
    element.textContent = content;
    container.append(element);
    return element;
  });
}

/** What a reader sees. */
function seen(element: HTMLElement): string {
  const { shadowRoot } = element;
  return (shadowRoot!.querySelector('slot') ? element : shadowRoot!).textContent!.replace(/\s/g, ' ');
}

async function says(element: HTMLElement, words: string): Promise<void> {
  await until(`the words “${words}”`, () => seen(element) === words).catch((error: Error) => {
    error.message += `; instead: ${seen(element)}`;
    throw error;
  });
}

async function counting(counts: Readonly<Record<string, number>>): Promise<TestBff> {
  const bff = new TestBff();
  await bff.set({ counts });
  return bff;
}

const requestsOf = (bff: TestBff) => bff.requests('GET /posts/counts');

const removals: (() => void)[] = [];

afterEach(() => {
  for (const remove of removals.splice(0)) remove();
});

describe('<vestibule-count>', () => {
  it('shows the numbers of all elements after one request, which names each page once', async () => {
    const bff = await counting({ [article('a')]: 0, [article('b')]: 1, [article('c')]: 1_234 });
    const [a, b, c, again] = open(bff, [article('a'), article('b#comments'), article('c'), article('c')]);
    for (const [element, words] of [[a, '0 comments'], [b, '1 comment'], [c, '1,234 comments'], [again, '1,234 comments']] as const) {
      await says(element!, words);
    }
    const [late] = open(bff, [article('c')]);
    await says(late!, '1,234 comments');
    const requests = await requestsOf(bff);
    expect(requests.map(({ query, pages }) => [query!['forum'], pages])).to.deep.equal([['news', ['a', 'b', 'c'].map(article)]]);
  });

  it('asks in one request for at most ten pages, and for at most 6 KiB', async () => {
    const bff = await counting({ [article(24)]: 7 });
    await says(open(bff, Array.from({ length: 25 }, (_, index) => article(index))).at(-1)!, '7 comments');
    expect((await requestsOf(bff)).map(({ pages }) => pages!.length)).to.have.members([10, 10, 5]);

    const long = await counting({});
    open(long, Array.from({ length: 9 }, (_, index) => article(`${index}${'x'.repeat(1_500)}`)));
    await until('three requests', async () => (await requestsOf(long)).length === 3);
    expect((await requestsOf(long)).map(({ pages }) => pages!.length)).to.deep.equal([3, 3, 3]);
  });

  it('asks each BFF and forum by itself', async () => {
    const [one, other] = [await counting({ [article('a')]: 1 }), await counting({ [article('a')]: 2 })];
    const elements = [open(one, [article('a')]), open(other, [article('a')]), open(one, [article('a')], { forum: 'sports' })].flat();
    for (const [index, words] of ['1 comment', '2 comments', '1 comment'].entries()) await says(elements[index]!, words);
    expect((await requestsOf(one)).map(({ query }) => query!['forum'])).to.have.members(['news', 'sports']);
  });

  it('takes a relative URL of the article', async () => {
    const bff = await counting({ [new URL('/2026/article', location.href).href]: 3 });
    await says(open(bff, ['/2026/article#top'])[0]!, '3 comments');
  });

  it('follows its attributes, and shows its content where there is no number', async () => {
    const bff = await counting({ [article('a')]: 5, [article('b')]: 6 });
    const [element] = open(bff, [article('a')], {}, 'Comments');
    expect(seen(element!)).to.equal('Comments');
    await says(element!, '5 comments');
    element!.setAttribute('page', article('unknown'));
    await says(element!, 'Comments');
    element!.setAttribute('page', article('b'));
    await says(element!, '6 comments');
    element!.removeAttribute('page');
    await says(element!, 'Comments');
    for (const page of ['http://', article('a')]) open(bff, [page], { forum: '' });
    expect((await requestsOf(bff)).map(({ pages }) => pages).flat()).to.deep.equal(['a', 'unknown', 'b'].map(article));
  });

  it('is empty where the BFF fails; developers read once in the console that the hook is missing', async () => {
    const errors: string[] = [];
    const { error } = console;
    console.error = (text: string) => void errors.push(text);
    removals.push(() => { console.error = error; });
    const bff = await counting({ [article('last')]: 3 });
    const answers = [{ problem: 'internal-error' }, { cut: true }, { problem: 'not-found' }, { problem: 'not-found' }] as const;
    await bff.set({ answers: { 'GET /posts/counts': answers } });
    const elements: HTMLElement[] = [];
    for (const index of answers.keys()) {
      elements.push(...open(bff, [article(index)]));
      await until('the request', async () => (await requestsOf(bff)).length > index);
    }
    await says(open(bff, [article('last')])[0]!, '3 comments');
    expect(elements.map(seen)).to.deep.equal(['', '', '', '']);
    expect(errors).to.deep.equal([`Vestibule: the BFF has no hook posts.count, or there is none at ${bff.url}`]);
  });

  it('asks once for an article with two spellings, and with credentials where the origin refuses without', async () => {
    const bff = await counting({ [article('%e6%96%87')]: 4 });
    await bff.set({ answers: { 'GET /posts/counts': [{ status: 401, text: 'no' }] } });
    for (const element of open(bff, [article('%e6%96%87'), article('%E6%96%87')])) await says(element, '4 comments');
    expect((await requestsOf(bff)).map(({ pages }) => pages)).to.deep.equal([[article('%e6%96%87')], [article('%e6%96%87')]]);
  });

  it('is in the language around it, with its plural forms, across shadow roots', async () => {
    const bff = await counting({ [article('a')]: 3, [article('b')]: 1_234 });
    for (const [lang, few, many] of [
      ['pl', '3 komentarze', '1234 komentarze'], ['ar', '3 تعليقات', '1,234 تعليقًا'], ['de_AT', '3 Kommentare', '1.234 Kommentare'],
      ['pt-AO', '3 comentários', '1234 comentários'], ['no', '3 kommentarer', '1 234 kommentarer'], ['zh-TW', '3 則評論', '1,234 則評論'],
    ] as const) {
      const elements = open(bff, [article('a'), article('b')], {}, '', lang);
      const inner = elements[0]!.parentElement!.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
      inner.append(elements[1]!);
      await says(elements[0]!, few);
      await says(elements[1]!, many);
    }
    const [element] = open(bff, [article('a')], { lang: 'fr' });
    await says(element!, '3 commentaires');
    element!.lang = 'tr';
    await says(element!, '3 yorum');
  });

  it('has the page’s own phrase', async () => {
    const bff = await counting({ [article('a')]: 1, [article('b')]: 1_200 });
    const own = { strings: '{"one":"{count} reply","other":"{count} replies"}' };
    const [one, many] = open(bff, [article('a'), article('b')], own);
    await says(one!, '1 reply');
    await says(many!, '1,200 replies');
    await says(open(bff, [article('b')], { strings: '{"other":"{count}"}' }, '', 'de')[0]!, '1.200');
    await says(open(bff, [article('b')], { strings: '{"one":"x"}' })[0]!, '1,200 comments');
  });
});
