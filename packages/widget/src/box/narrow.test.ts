/** The box on a phone, in every language: the main button is one line, and the row of the status has room for each phrase. */

import { expect } from '@open-wc/testing';
import { commentsStrings } from '../locales/en-comments.ts';
import { coreStrings } from '../locales/en.ts';
import { languages } from '../locales/languages.ts';
import type { Language } from '../locales/language.ts';
import { TestBff } from '../_bff.ts';
import { openBox, openSignedIn, type Box } from './_box.ts';

/** Of the main button, on both sides, in pixels. */
const PADDING = 28;

type Phrases = Pick<Language, 'core' | 'comments'>;

type Loader = readonly [tag: string, load: () => Promise<Phrases>];

const translations = Object.entries(languages).map(([tag, load]): Loader => [tag, load]);

const all: readonly Loader[] = [['en', async () => ({ core: coreStrings, comments: commentsStrings })], ...translations];

/** Labels of the main button. */
function labelsOf({ core, comments: { action } }: Phrases): readonly string[] {
  return [core.post, core.signIn, core.signInAndPost, core.postReply, action.showWindow];
}

/** Statuses of a reader who is signed out: no account stands beside them. */
const SIGNED_OUT: readonly string[] = ['waiting', 'unavailable', 'declined'];

/** Number of lines of text in `element`. */
function linesOf(element: Element): number {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
}

async function openAt(width: number): Promise<{ readonly box: Box; readonly place: HTMLElement }> {
  const place = document.body.appendChild(document.createElement('div'));
  place.style.inlineSize = `${width}px`;
  return { box: await openSignedIn({ place }), place };
}

async function openSignedInTo(bff: TestBff, place: HTMLElement): Promise<Box> {
  const box = await openBox({ place, bff });
  await box.isSignedIn('Wolfeschlegelstein');
  return box;
}

// A page of 320 and of 390 pixels, with margins of 16 pixels.
for (const width of [288, 358]) {
  describe(`a box of ${width} pixels, in every language`, () => {
    it('has a main button of one line that fits, beside the account or below a row for every status', async () => {
      const { box, place } = await openAt(width);
      box.element.focus();
      await box.until(() => box.primary, 'the main button');
      const [button, line, status] = [box.part('primary-button')!, box.all('.line')[0]!, box.all('#status')[0]!];
      const label = button.querySelector('span')!;
      const faults: string[] = [];
      expect(line.getBoundingClientRect().bottom).to.be.above(button.getBoundingClientRect().top);
      status.textContent = 'x';
      const room = line.getBoundingClientRect().height;
      for (const [tag, load] of all) {
        const phrases = await load();
        box.element.lang = tag;
        await box.until(() => box.part('heading')!.lang === tag, tag);
        for (const text of labelsOf(phrases)) {
          label.textContent = text;
          const isWithin = label.getBoundingClientRect().width <= button.getBoundingClientRect().width - PADDING;
          if (linesOf(label) !== 1 || !isWithin) faults.push(`${tag}, button: ${text}`);
        }
        for (const [name, text] of Object.entries(phrases.comments.status)) {
          status.textContent = text;
          box.all('.account')[0]!.hidden = SIGNED_OUT.includes(name);
          if (line.getBoundingClientRect().height > room) faults.push(`${tag}, status: ${text}`);
        }
      }
      expect(faults).to.deep.equal([]);
      expect(line.getBoundingClientRect().bottom).to.be.at.most(button.getBoundingClientRect().top);
      place.remove();
    });

    it('has room for a status beside the name and a button or the count', async () => {
      const place = document.body.appendChild(document.createElement('div'));
      place.style.inlineSize = `${width}px`;
      const bff = new TestBff();
      await bff.signIn({ user_id: '42', username: 'Wolfeschlegelstein' });
      const box = await openSignedInTo(bff, place);
      box.element.focus();
      await box.until(() => box.primary, 'the main button');
      const line = box.all('.line')[0]!;
      const room = line.getBoundingClientRect().height;
      const faults: string[] = [];
      const check = async (what: string): Promise<void> => {
        for (const [tag] of all) {
          box.element.lang = tag;
          await box.until(() => box.part('heading')!.lang === tag && box.status, tag);
          const { height } = line.getBoundingClientRect();
          if (height > room) faults.push(`${tag}, ${what}: ${height}`);
          const [name] = box.all('.account bdi');
          if (name!.getBoundingClientRect().width < 40) faults.push(`${tag}, ${what}: no name`);
        }
        box.element.lang = 'en';
        await box.until(() => box.part('heading')!.lang === 'en', 'English');
      };
      box.write('x'.repeat(10_050));
      await box.press('Post comment');
      await box.until(() => box.status && box.part('counter'), 'the count');
      await check('too long');
      expect(faults).to.deep.equal([]);
      place.remove();
    });

    it('shows the whole reason of a refusal in its width, with the buttons below it', async () => {
      const place = document.body.appendChild(document.createElement('div'));
      place.style.inlineSize = `${width}px`;
      const bff = new TestBff();
      await bff.signIn({ user_id: '42', username: 'Ada' });
      await bff.set({ answers: { 'POST /posts': [{ problem: 'post-rejected', detail: 'Please be kind to each other. '.repeat(8) }] } });
      const box = await openBox({ place, bff });
      await box.isSignedIn('Ada');
      await box.post('hello');
      await box.says('Not posted:');
      const [reason, edit] = [box.all('.say')[0]!, box.button('Edit')!].map((element) => element.getBoundingClientRect());
      expect(reason!.width).to.be.above(0.9 * width);
      expect(edit!.top).to.be.at.least(reason!.bottom);
      expect(box.all('.say')[0]!.scrollHeight).to.be.at.most(box.all('.say')[0]!.clientHeight + 1);
      place.remove();
    });

    it('has one line at rest beside the account', async () => {
      const place = document.body.appendChild(document.createElement('div'));
      place.style.inlineSize = `${width}px`;
      const bff = new TestBff();
      await bff.signIn({ user_id: '42', username: 'Wolfeschlegelstein' });
      // The second time the session is expected.
      (await openSignedInTo(bff, place)).element.remove();
      const box = await openSignedInTo(bff, place);
      const heights = new Map<string, number>();
      for (const [tag] of all) {
        box.element.lang = tag;
        await box.until(() => box.part('heading')!.lang === tag, tag);
        heights.set(tag, box.field.getBoundingClientRect().height);
      }
      expect([...heights].filter(([, height]) => height !== heights.get('en'))).to.deep.equal([]);
      place.remove();
    });
  });
}
