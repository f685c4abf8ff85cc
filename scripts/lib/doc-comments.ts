/** Doc comments of TypeScript sources, without a type checker. */

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import ts from 'typescript';

export interface Exported {
  readonly name: string;
  readonly kind: 'class' | 'constant' | 'function' | 'type';
  /** Empty without one. */
  readonly comment: string;
}

/** The doc comment of a declaration on one line; empty without one. */
export function commentOf(node: ts.Node): string {
  const comment = ts.getJSDocCommentsAndTags(node).at(-1);
  return ts.getTextOfJSDocComment(comment?.comment)?.replaceAll('**', '').replaceAll(/\s+/g, ' ') ?? '';
}

/** The first sentence. */
export function summaryOf(comment: string): string {
  return /^.+?[.:](?= [A-Z`]|$)/.exec(comment)?.[0].replace(/:$/, '.') ?? comment;
}

/** Comments of the members of an interface, or of the properties of an object constant. */
export function commentsOfMembers(source: ts.SourceFile, name: string): ReadonlyMap<string, string> {
  const declaration = declarationsOf(source).get(name);
  const members = declaration && ts.isInterfaceDeclaration(declaration)
    ? declaration.members
    : objectOf(declaration)?.properties ?? [];
  return new Map([...members].flatMap((member) => {
    const comment = commentOf(member);
    return member.name && comment !== '' ? [[member.name.getText(source), comment] as const] : [];
  }));
}

export interface InterfaceMember {
  readonly name: string;
  readonly isOptional: boolean;
  /** Its type, on one line. */
  readonly value: string;
  /** Empty without one. */
  readonly comment: string;
}

/** Members of an interface, after those of the interfaces of the same module that it extends. */
export function membersOf(source: ts.SourceFile, name: string): readonly InterfaceMember[] {
  const declaration = declarationsOf(source).get(name);
  if (!declaration || !ts.isInterfaceDeclaration(declaration)) throw new Error(`${name} is no interface`);
  const { heritageClauses = [], members } = declaration;
  const bases = heritageClauses.flatMap(({ types }) => types.map(({ expression }) => expression.getText(source)));
  return [...bases.flatMap((base) => membersOf(source, base)), ...members.filter(ts.isPropertySignature).map((member) => ({
    name: member.name.getText(source),
    isOptional: member.questionToken !== undefined,
    value: valueOf(member.type?.getText(source) ?? ''),
    comment: commentOf(member),
  }))];
}

/** A type without what only TypeScript needs: modifiers, template literals, `undefined` of an optional member. */
function valueOf(type: string): string {
  return type
    .replaceAll(/\/\*\*.*?\*\/|\breadonly\b|\| undefined\b/gs, '')
    .replaceAll(/`[^`]*`/g, 'string')
    .replaceAll(/Readonly<Record<string, (\w+)>>/g, '{ [name]: $1 }')
    .replaceAll(/\s+/g, ' ').replaceAll('; }', ' }').trim();
}

/** What a module exports by name, from its own declarations and from other modules of the package. */
export async function exportsOf(path: string): Promise<readonly Exported[]> {
  const source = ts.createSourceFile(path, await readFile(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const exported: Exported[] = [];
  for (const statement of source.statements) {
    if (!ts.isExportDeclaration(statement)) continue;
    const { exportClause, moduleSpecifier } = statement;
    if (!exportClause || !ts.isNamedExports(exportClause)) continue;
    const from = moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? resolve(dirname(path), moduleSpecifier.text) : path;
    for (const { name } of exportClause.elements) exported.push(await findExport(from, name.text));
  }
  return exported;
}

async function findExport(path: string, name: string): Promise<Exported> {
  const source = ts.createSourceFile(path, await readFile(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const declaration = declarationsOf(source).get(name);
  if (declaration) return { name, kind: kindOf(declaration), comment: commentOf(declaration) };
  const exported = (await exportsOf(path)).find((one) => one.name === name);
  if (!exported) throw new Error(`${path} does not export ${name}`);
  return exported;
}

type Declaration =
  | ts.ClassDeclaration | ts.FunctionDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.VariableDeclaration;

/** Of a function with overloads, the first one. */
function declarationsOf(source: ts.SourceFile): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>();
  for (const statement of source.statements) {
    const declarations = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    for (const one of declarations) {
      const name = isDeclaration(one) ? one.name?.getText(source) : undefined;
      if (name !== undefined && !found.has(name)) found.set(name, one as Declaration);
    }
  }
  return found;
}

function isDeclaration(node: ts.Node): node is Declaration {
  return ts.isClassDeclaration(node) || ts.isFunctionDeclaration(node) || ts.isInterfaceDeclaration(node)
    || ts.isTypeAliasDeclaration(node) || ts.isVariableDeclaration(node);
}

function kindOf(declaration: Declaration): Exported['kind'] {
  if (ts.isClassDeclaration(declaration)) return 'class';
  if (ts.isFunctionDeclaration(declaration)) return 'function';
  return ts.isVariableDeclaration(declaration) ? 'constant' : 'type';
}

function objectOf(declaration: Declaration | undefined): ts.ObjectLiteralExpression | undefined {
  let value: ts.Node | undefined = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  while (value && (ts.isAsExpression(value) || ts.isSatisfiesExpression(value))) value = value.expression;
  return value && ts.isObjectLiteralExpression(value) ? value : undefined;
}
