import { expect, fixture, html } from '@open-wc/testing';
import { TestBff } from '../../_bff.ts';
import { openBox, openSignedIn } from './_box.ts';
import type { VestibuleComments } from './vestibule-comments.ts';

afterEach(() => localStorage.clear());

describe('the comment box, for a reader who writes', () => {
  it('is writable before the BFF has responded', async () => {
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /session': [{ hold: 'session' }] } });
    const box = await openBox({ bff });
    box.element.focus();
    expect(box.element.shadowRoot!.activeElement).to.equal(box.field);
    expect(box.button('Post comment')).to.not.equal(undefined);
    box.write('early');
    await bff.release('session');
    await box.isSignedOut();
    expect(box.field.value).to.equal('early');
  });

  it('fires vestibule-ready with the draft in place', async () => {
    const bff = new TestBff();
    (await openBox({ bff })).write('kept');
    const element = document.createElement('vestibule-comments');
    Object.assign(element, { forum: 'news', bff: bff.url });
    const ready = new Promise<string>((resolve) => {
      document.addEventListener('vestibule-ready', (event) => resolve((event.target as VestibuleComments).field.value), { once: true });
    });
    document.body.append(element);
    expect(await ready).to.equal('kept');
    element.remove();
  });

  it('keeps a draft for its forum and BFF only', async () => {
    const bff = new TestBff();
    (await openBox({ bff })).write('of the news');
    expect((await openBox({ bff })).field.value).to.equal('of the news');
    expect((await openBox({ bff, forum: 'sports' })).field.value).to.equal('');
    expect((await openBox()).field.value).to.equal('');
  });

  it("turns to another forum's draft when the forum changes", async () => {
    const box = await openBox();
    box.write('of the news');
    box.element.forum = 'sports';
    await box.element.updateComplete;
    expect(box.field.value).to.equal('');
    box.element.forum = 'news';
    await box.element.updateComplete;
    expect(box.field.value).to.equal('of the news');
  });

  it('starts with the prefill without a draft, and does not store it', async () => {
    const bff = new TestBff();
    const box = await openBox({ bff, prefill: 'Dear editors' });
    expect(box.field.value).to.equal('Dear editors');
    expect(localStorage.length).to.equal(0);
    box.write('Dear all');
    expect((await openBox({ bff, prefill: 'Dear editors' })).field.value).to.equal('Dear all');
  });

  it('works without storage', async () => {
    const refused = Object.getOwnPropertyDescriptor(window, 'localStorage')!;
    Object.defineProperty(window, 'localStorage', { configurable: true, get() { throw new DOMException('no', 'SecurityError'); } });
    try {
      const box = await openSignedIn();
      box.write('hello');
      await box.press('Post comment');
      await box.says('Your comment is posted.');
    } finally {
      Object.defineProperty(window, 'localStorage', refused);
    }
  });

  it('has a label, a placeholder of the page, and a heading of its level', async () => {
    const element = await fixture<VestibuleComments>(html`
      <vestibule-comments forum="news" bff=${new TestBff().url} placeholder="Be kind" heading-level="3"></vestibule-comments>
    `);
    const { field } = element;
    expect(field.labels[0]!.textContent).to.equal('Your comment');
    expect(field.placeholder).to.equal('Be kind');
    expect(element.shadowRoot!.querySelector('[role=heading]')!.ariaLevel).to.equal('3');
  });

  it('grows with its text', async () => {
    const box = await openBox();
    const { clientHeight } = box.field;
    box.write('line\n'.repeat(12));
    await box.element.updateComplete;
    expect(box.field.clientHeight).to.be.above(clientHeight);
  });

  it('counts code points near the lower limit of page and BFF', async () => {
    const box = await openSignedIn({ maxLength: 40 });
    box.write('x'.repeat(35));
    await box.element.updateComplete;
    expect(box.words).not.to.contain('left');
    box.write('🦊'.repeat(39));
    await box.says('1 character left');
    box.write('🦊'.repeat(42));
    await box.says('2 characters too many');
  });

  it('keeps text, selection and session while it is moved', async () => {
    const box = await openSignedIn();
    box.write('moving');
    await box.bff.set({ answers: { 'POST /posts': [{ hold: 'post' }] } });
    await box.press('Post comment');
    const { element } = box;
    const target = document.createElement('div');
    element.parentElement!.append(target);
    target.append(element);
    await box.bff.release('post');
    await box.says('Your comment is posted.');
    expect(await box.bff.requests('GET /session')).to.have.length(1);
    target.remove();
  });
});
