/** The article of a box in pages that change their address or their canonical link (contract, "Identity of the article"). */

import { expect } from '@open-wc/testing';
import { openBox, openSignedIn, setCanonical, type Box } from '../box/_box.ts';

/** The page that a post names. */
async function pageOf(box: Box): Promise<unknown> {
  await box.post('hello');
  await box.says('Your comment is posted.');
  return (await box.bff.posts()).at(-1)!['page'];
}

describe('a canonical link that appears late', () => {
  it('replaces no letter of the text that is being written, and the text moves along', async () => {
    const box = await openSignedIn();
    box.element.focus();
    box.write('abc');
    setCanonical('/articles/lamplighter');
    box.write(`${box.field.value}d`);
    await box.element.updateComplete;
    expect(box.field.value).to.equal('abcd');
    setCanonical('/articles/lamplighter-2');
    await box.element.updateComplete;
    expect(box.field.value).to.equal('abcd');
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    expect(await box.bff.posts()).to.deep.include.members([{ id: '1', forum: 'news', message: 'abcd', page: `${location.origin}/articles/lamplighter-2` }]);
  });

  it('takes a text along that nobody is writing any more, and shows that of the article where there is one', async () => {
    const box = await openBox();
    box.write('abc');
    setCanonical('/articles/lamplighter');
    await box.element.updateComplete;
    expect(box.field.value).to.equal('abc');
    await (await openBox({ bff: box.bff })).hasText('abc');
  });
});

describe('a canonical link', () => {
  it('of another origin does not count', async () => {
    setCanonical('https://www.example.com/articles/lamplighter');
    expect(await pageOf(await openSignedIn())).to.equal(location.href);
  });

  it('that did not change with the path after pushState does not count', async () => {
    setCanonical('/articles/1');
    const box = await openSignedIn();
    expect(await pageOf(box)).to.equal(`${location.origin}/articles/1`);
    history.pushState(null, '', '/articles/2');
    expect(await pageOf(box)).to.equal(`${location.origin}/articles/2`);
    setCanonical('/articles/2?canonical');
    expect(await pageOf(box)).to.equal(`${location.origin}/articles/2?canonical`);
  });
});
