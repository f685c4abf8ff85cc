/** Imports between the modules of the packages: no cycles, and none against the arrows `widget → shared ← bff`. */

import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');

/** Imported modules by module, types and dynamic imports included. */
async function importGraph(): Promise<Map<string, string[]>> {
  const graph = new Map<string, string[]>();
  for await (const path of glob('packages/*/src/**/*.ts', { cwd: root })) {
    if (/\.test\.ts$|\/_[^/]*$/.test(path)) continue;
    const { importedFiles } = ts.preProcessFile(await readFile(join(root, path), 'utf8'), true, true);
    const own = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'));
    graph.set(path, own.map((name) => relative(root, join(root, dirname(path), name))));
  }
  return graph;
}

/** Of the widget: imports that are evaluated with their module. Its parts share types, and load each other later. */
async function evaluatedGraph(): Promise<Map<string, string[]>> {
  const graph = new Map<string, string[]>();
  for (const path of (await importGraph()).keys()) {
    if (!path.startsWith('packages/widget/')) continue;
    const { statements } = ts.createSourceFile(path, await readFile(join(root, path), 'utf8'), ts.ScriptTarget.Latest);
    const own = statements.flatMap((one) => {
      const isEvaluated = ts.isImportDeclaration(one) ? one.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword
        : ts.isExportDeclaration(one) && !one.isTypeOnly;
      const { text = '' } = (isEvaluated ? (one as ts.ImportDeclaration).moduleSpecifier as ts.StringLiteral | undefined : undefined) ?? {};
      return text.startsWith('.') ? [relative(root, join(root, dirname(path), text))] : [];
    });
    graph.set(path, own);
  }
  return graph;
}

/** The first cycle, as a path that ends where it starts. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const finished = new Set<string>();
  const visit = (module: string, path: readonly string[]): readonly string[] => {
    if (path.includes(module)) return [...path.slice(path.indexOf(module)), module];
    if (finished.has(module)) return [];
    for (const imported of graph.get(module) ?? []) {
      const cycle = visit(imported, [...path, module]);
      if (cycle.length > 0) return cycle;
    }
    finished.add(module);
    return [];
  };
  return [...graph.keys()].map((module) => visit(module, [])).find((cycle) => cycle.length > 0) ?? [];
}

describe('imports of the packages', async () => {
  const graph = await importGraph();

  it('have no cycle: of the BFF and the wire types', () => {
    assert.ok(graph.size > 50);
    assert.deepEqual(findCycle(new Map([...graph].filter(([path]) => !path.startsWith('packages/widget/')))), []);
  });

  it('have no cycle: of the widget, as it is evaluated', async () => {
    const evaluated = await evaluatedGraph();
    assert.ok(evaluated.size > 50 && [...evaluated.values()].flat().length > evaluated.size);
    assert.deepEqual(findCycle(evaluated), []);
  });

  it('of the BFF have no cycle between folders', () => {
    const folderOf = (path: string): string => path.split('/').slice(0, 4).join('/');
    const folders = new Map<string, string[]>();
    for (const [path, imported] of graph) {
      if (!path.startsWith('packages/bff/')) continue;
      const others = imported.map(folderOf).filter((folder) => folder !== folderOf(path));
      folders.set(folderOf(path), [...folders.get(folderOf(path)) ?? [], ...others]);
    }
    assert.deepEqual(findCycle(folders), []);
  });

  it('of the widget lead down, from folder to folder', () => {
    const order = ['element', 'box', 'form', 'count', 'thread', 'writing', 'session', 'storage', 'events', 'locales', 'styles', 'client', 'lib'];
    const folderOf = (path: string): string => /^packages\/widget\/src\/([^/]+)\//.exec(path)?.[1] ?? '.';
    const rising = [...graph].flatMap(([path, imported]) => {
      const own = order.indexOf(folderOf(path));
      if (!path.startsWith('packages/widget/src/') || own < 0) return [];
      return imported.filter((name) => order.indexOf(folderOf(name)) < own).map((name) => `${path} → ${name}`);
    });
    // The box is a controller of its element.
    assert.deepEqual(rising.filter((one) => !one.endsWith('→ packages/widget/src/element/vestibule-comments.ts')), []);
    assert.ok([...graph.keys()].every((path) => !path.startsWith('packages/widget/src/') || ['.', ...order].includes(folderOf(path))));
  });

  it('stay in their package', () => {
    const packageOf = (path: string): string => path.split('/').slice(0, 3).join('/');
    const leaving = [...graph].flatMap(([path, imported]) => (
      imported.filter((name) => packageOf(name) !== packageOf(path)).map((name) => `${path} → ${name}`)
    ));
    assert.deepEqual(leaving, []);
  });
});
