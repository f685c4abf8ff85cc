import { expect, fixture, html } from '@open-wc/testing';
import { autosizeTextarea } from './autosize-textarea.ts';

const { supports } = CSS;

/** A field in a browser without `field-sizing`. */
async function openField(): Promise<HTMLTextAreaElement> {
  CSS.supports = () => false;
  return fixture<HTMLTextAreaElement>(html`<textarea style="box-sizing: border-box; min-height: 80px"></textarea>`);
}

function write(field: HTMLTextAreaElement, text: string): number {
  field.value = text;
  autosizeTextarea(field);
  return field.offsetHeight;
}

describe('autosizeTextarea', () => {
  afterEach(() => { CSS.supports = supports; });

  it('grows the field with its text, without a scrollbar', async () => {
    const field = await openField();
    expect(write(field, 'line\n'.repeat(20))).to.be.above(80);
    expect(field.scrollHeight).to.equal(field.clientHeight);
  });

  it('keeps the height and the scroll position of the page through each further call', async () => {
    const field = await openField();
    document.body.style.minHeight = '5000px';
    const height = write(field, 'line\n'.repeat(40));
    window.scrollTo(0, 300);
    const heights = new Set<number>();
    const observer = new MutationObserver(() => heights.add(field.offsetHeight));
    observer.observe(field, { attributes: true });
    for (let lines = 40; lines > 30; lines -= 1) expect(write(field, 'line\n'.repeat(lines))).to.equal(height);
    expect(window.scrollY).to.equal(300);
    await Promise.resolve();
    expect([...heights].filter((other) => other !== height)).to.deep.equal([]);
    observer.disconnect();
    document.body.style.minHeight = '';
  });

  it('starts again when the field is empty', async () => {
    const field = await openField();
    write(field, 'line\n'.repeat(20));
    expect(write(field, '')).to.equal(80);
  });

  it('leaves a height that the reader has dragged', async () => {
    const field = await openField();
    write(field, 'line\n'.repeat(20));
    field.style.height = '500px';
    expect(write(field, 'line\n'.repeat(60))).to.equal(500);
  });

  it('does nothing in a browser with `field-sizing`', async () => {
    const field = await openField();
    CSS.supports = supports;
    write(field, 'line\n'.repeat(20));
    expect(field.style.height).to.equal('');
  });
});
