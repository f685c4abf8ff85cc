/** A test that proves a claim: found by a part of its title, and read as code. */

import ts from 'typescript';

/** Why no test of `source` proves a claim; `undefined` if one does.
 *  @param title part of the title as it is in the code */
export function faultOfProof(source: string, title: string): string | undefined {
  const file = ts.createSourceFile('test.ts', source, ts.ScriptTarget.Latest, true);
  const found = callsIn(file).filter((call) => /^(?:it|test)\b/.test(call.expression.getText()) && call.arguments[0]?.getText().includes(title));
  if (found.length === 0) return 'no test has this title';
  for (const call of found) {
    const isRun = [call, ...ancestorsOf(call)].every((node) => !ts.isCallExpression(node) || isPlain(node));
    if (!isRun) return 'the test is skipped';
    const body = call.arguments.at(-1);
    if (!body || !ts.isFunctionLike(body) || !asserts(body, file)) return 'the test asserts nothing';
  }
  return undefined;
}

/** Neither `it.skip`, `describe.todo` nor an option of that name. */
function isPlain(call: ts.CallExpression): boolean {
  if (!/^(?:it|test|describe|suite)\b/.test(call.expression.getText())) return true;
  const options = call.arguments.slice(1).filter((argument) => !ts.isFunctionLike(argument));
  return ts.isIdentifier(call.expression) && options.every((argument) => !/\b(?:skip|todo)\b/.test(argument.getText()));
}

/** Whether the function calls `assert`, `expect` or a function of such a name, itself or in a function of its file. */
function asserts(body: ts.Node, file: ts.SourceFile, seen: ReadonlySet<string> = new Set()): boolean {
  return callsIn(body).some(({ expression }) => {
    const [name = ''] = expression.getText().split(/[.(]/);
    if (/^(?:assert|expect)/.test(name)) return true;
    const helper = seen.has(name) ? undefined : functionOf(name, file);
    return helper !== undefined && asserts(helper, file, new Set([...seen, name]));
  });
}

function functionOf(name: string, file: ts.SourceFile): ts.Node | undefined {
  return descendantsOf(file).find((node) => (
    (ts.isFunctionDeclaration(node) && node.name?.text === name)
    || (ts.isVariableDeclaration(node) && node.name.getText() === name && node.initializer && ts.isFunctionLike(node.initializer))
  ));
}

function callsIn(node: ts.Node): ts.CallExpression[] {
  return descendantsOf(node).filter(ts.isCallExpression);
}

function descendantsOf(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  ts.forEachChild(node, (child) => { found.push(child, ...descendantsOf(child)); });
  return found;
}

function ancestorsOf(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  for (let one = node.parent; one; one = one.parent) found.push(one);
  return found;
}
