/** Finds phrases that are in the code instead of in `src/locales`: in the text and the announced attributes of templates, and in
 *  strings that look like a phrase. */

import ts from 'typescript';

/** Attributes whose value is shown or announced. */
const ANNOUNCED_ATTRIBUTES = /\b(?:aria-(?:label|description|roledescription|placeholder|valuetext)|alt|title|placeholder|label)=(?:"[^"]*\p{L}|'[^']*\p{L}|\p{L})/u;

/** Several words, or a capitalized one with punctuation. Names of classes, keys and events do not match. */
const PHRASE = /^\p{Lu}[\p{L}’'-]*(?: [\p{L}\p{N}’'-]+)+[.!?:…]?$|^\p{Lu}\p{Ll}+[.!?:…]?$|\p{L} \p{L}[\p{L}’' -]*[.!?…]$/u;

/** The phrases of `code`. */
export function findLooseText(code: string): string[] {
  const found: string[] = [];
  visit(ts.createSourceFile('code.ts', code, ts.ScriptTarget.Latest, true));
  return found;

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isTaggedTemplateExpression(node)) {
      const tag = node.tag.getText();
      if (tag === 'html' || tag === 'svg') found.push(...findInMarkup(node.template));
      if (tag !== 'css') ts.forEachChild(node.template, visitHoles);
      return;
    }
    if (ts.isStringLiteralLike(node) && PHRASE.test(node.text) && !isInternal(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  }

  function visitHoles(node: ts.Node): void {
    if (ts.isTemplateSpan(node)) visit(node.expression);
  }
}

/** Between the tags, and in announced attributes, without expressions. */
function findInMarkup(template: ts.TemplateLiteral): string[] {
  const parts = ts.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
  const markup = parts.join('{}').replace(/<!--[^]*?-->/g, '');
  const texts = markup.replace(/<[^>]*>/g, '\n').replace(/&\w+;/g, '').split('\n').filter((text) => /\p{L}/u.test(text));
  const attributes = (markup.match(/<[a-z][^>]*>/gi) ?? []).flatMap((tag) => ANNOUNCED_ATTRIBUTES.exec(tag) ?? []);
  return [...texts.map((text) => text.trim()), ...attributes];
}

/** Comparisons, messages of errors, and titles of problems (RFC 9457, for scripts). */
function isInternal({ parent }: ts.StringLiteralLike): boolean {
  return ts.isBinaryExpression(parent) || ts.isNewExpression(parent) || (ts.isPropertyAssignment(parent) && parent.name.getText() === 'title');
}
