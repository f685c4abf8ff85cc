/** Takes out of Lit's templates the white space that only the sources need. Outside of tags, a run of it that holds a
 *  line break and lies beside a tag, an expression or an end of the template goes; a blank that shall be seen stands in
 *  the sources without a line break. Every other run becomes one blank. */

import type { Plugin } from 'vite';

interface TaggedTemplate {
  readonly type: 'TaggedTemplateExpression';
  readonly tag: { readonly name?: string };
  readonly quasi: { readonly quasis: readonly { readonly start: number; readonly end: number }[] };
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function minifyTemplates(): Plugin {
  return {
    name: 'vestibule:minify-templates',
    apply: 'build',
    transform(code, id) {
      if (id.includes('node_modules') || !/\b(?:html|css)`/.test(code)) return null;
      const edits: Edit[] = [];
      visit(this.parse(code), ({ tag, quasi: { quasis } }) => {
        const minify = { html: minifyHtml, css: minifyCss }[tag.name ?? ''];
        const texts = minify?.(quasis.map(({ start, end }) => code.slice(start, end))) ?? [];
        edits.push(...texts.map((text, index) => ({ ...quasis[index]!, text })));
      });
      return { code: applyEdits(code, edits), map: null };
    },
  };
}

function visit(node: unknown, see: (template: TaggedTemplate) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && node.type === 'TaggedTemplateExpression') see(node as TaggedTemplate);
  for (const child of Object.values(node)) visit(child, see);
}

function applyEdits(code: string, edits: readonly Edit[]): string {
  let result = '';
  let end = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += code.slice(end, edit.start) + edit.text;
    end = edit.end;
  }
  return result + code.slice(end);
}

/** Stands for an expression between two parts of a template. */
const HOLE = '\u0000';

/** The parts of an `html` template, minified. */
export function minifyHtml(parts: readonly string[]): string[] {
  return parts.join(HOLE)
    .split(/(<[a-z/!][^>]*>)/i)
    .map((text, index) => (index % 2 ? minifyTag(text) : minifyText(text)))
    .join('')
    .split(HOLE);
}

function minifyTag(tag: string): string {
  return tag.replace(/\s+/g, ' ').replace(/ >$/, '>');
}

function minifyText(text: string): string {
  return text.split(HOLE)
    .map((piece) => piece.replace(/^\s*\n\s*|\s*\n\s*$/g, '').replace(/\s+/g, ' '))
    .join(HOLE);
}

/** The parts of a `css` template, minified. */
export function minifyCss(parts: readonly string[]): string[] {
  return parts.join(HOLE)
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;\}/g, '}')
    .trim()
    .split(HOLE);
}
