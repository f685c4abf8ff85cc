import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { minifyCss, minifyHtml } from './minify-templates.ts';

describe('minifyHtml', () => {
  it('takes the white space between tags, and at the ends, where it holds a line break', () => {
    assert.deepEqual(minifyHtml(['\n  <p>\n    <b>', '</b>\n  </p>\n']), ['<p><b>', '</b></p>']);
  });

  it('keeps a blank that shall be seen', () => {
    assert.deepEqual(minifyHtml(['<p>', ' <time>', '</time></p>']), ['<p>', ' <time>', '</time></p>']);
    assert.deepEqual(minifyHtml(['<b>a</b> <i>b</i>']), ['<b>a</b> <i>b</i>']);
    assert.deepEqual(minifyHtml(['one\n  two']), ['one two']);
  });

  it('keeps attributes apart, beside an expression too', () => {
    assert.deepEqual(
      minifyHtml(['<button\n  class="a\n b"\n  @click=', '\n  part="c"\n>', '</button>']),
      ['<button class="a b" @click=', ' part="c">', '</button>'],
    );
    assert.deepEqual(minifyHtml(['<input ?hidden=', ' />']), ['<input ?hidden=', ' />']);
  });

  it('leaves a greater-than sign in an expression alone', () => {
    assert.deepEqual(minifyHtml(['<p>', ' > ', '</p>']), ['<p>', ' > ', '</p>']);
  });
});

describe('minifyCss', () => {
  it('takes what a browser does not tell apart', () => {
    const css = '\n  /* a\n comment */ .a,\n  .b > .c {\n    margin: calc(1px + 2px) auto;\n    color: red;\n  }\n';
    assert.deepEqual(minifyCss([css]), ['.a,.b>.c{margin:calc(1px + 2px) auto;color:red}']);
  });

  it('keeps descendants, pseudo-classes and media queries as they are', () => {
    const css = '.a .b :hover {\n x: y; }\n@media (width > 40em) and (prefers-color-scheme: dark) {\n .a { x: y }\n}';
    assert.deepEqual(minifyCss([css]), ['.a .b :hover{x:y}@media (width>40em) and (prefers-color-scheme:dark){.a{x:y}}']);
  });

  it('keeps the parts of a template with expressions', () => {
    assert.deepEqual(minifyCss(['\n  ', '\n  p {\n color: ', ';\n }']), ['', ' p{color:', '}']);
  });
});
