import { expect, fixture } from '@open-wc/testing';
import { html } from 'lit';
import { TestBff } from '../../_bff.ts';
import '../../define.ts';
import { Box } from './_box.ts';
import type { VestibuleComments } from './vestibule-comments.ts';

const RealObserver = IntersectionObserver;

describe('a comment box far down the page', () => {
  afterEach(() => {
    window.IntersectionObserver = RealObserver;
  });

  async function open(): Promise<Box> {
    const bff = new TestBff();
    const page = await fixture(html`<div style="padding-block-start: 5000px"><vestibule-comments forum="news" bff=${bff.url}></vestibule-comments></div>`);
    return new Box(bff, page.querySelector<VestibuleComments>('vestibule-comments')!);
  }

  it('asks for nothing before it comes near', async () => {
    const box = await open();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    expect(await box.bff.requests()).to.deep.equal([]);
    box.element.scrollIntoView();
    await box.isSignedOut();
  });

  it('is ready where a busy page tells only late, and both at once, that it was far and that it is near', async () => {
    let tell = (): void => {};
    window.IntersectionObserver = class extends RealObserver {
      constructor(callback: IntersectionObserverCallback) {
        super(() => {});
        tell = () => callback([false, true].map((isIntersecting) => ({ isIntersecting }) as IntersectionObserverEntry), this);
      }
    };
    const box = await open();
    tell();
    await box.isSignedOut();
  });
});
