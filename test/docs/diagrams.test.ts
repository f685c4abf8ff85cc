/** The documentation's diagrams: of the part of Mermaid's grammar that they use, and true to the endpoints. No renderer
 *  takes part. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endpoints } from '@vestibule/shared';
import { codeBlocks, placeOf, type CodeBlock } from './_documents.ts';

const DECLARATION = /^(?:actor|participant) (\w+)(?: as [^;#]+)?$/;
const MESSAGE = /^(\w+)->>(\w+): [^;#]+$/;

const NODE = String.raw`(\w+)(?:\[[^[\]();]+\]|\[\([^[\]();]+\)\])?`;
const EDGE = new RegExp(`^${NODE} -->(?:\\|"[^|"]+"\\|)? ${NODE}$`);

describe('a diagram of the documentation', async () => {
  for (const block of await codeBlocks('mermaid')) {
    it(`has the syntax of a sequence diagram or flowchart: ${placeOf(block)}`, () => {
      const { kind, lines } = parse(block);
      assert.ok(kind === 'sequenceDiagram' || kind === 'flowchart LR', kind);
      if (kind === 'sequenceDiagram') checkSequence(lines);
      else assert.deepEqual(lines.filter((line) => !EDGE.test(line)), []);
    });

    it(`names endpoints that there are: ${placeOf(block)}`, () => {
      const known = new Set(Object.values(endpoints).map(({ method, path }) => `${method} ${path}`));
      const named = block.code.match(/\b(?:GET|POST|DELETE) \/[\w/]+/g) ?? [];
      assert.deepEqual(named.filter((name) => !known.has(name)), []);
    });
  }
});

function parse({ code }: CodeBlock): { kind: string; lines: readonly string[] } {
  const [kind = '', ...lines] = code.trim().split('\n').map((line) => line.trim());
  return { kind, lines };
}

function checkSequence(lines: readonly string[]): void {
  const declared = new Set(lines.map((line) => DECLARATION.exec(line)?.[1]).filter((name) => name !== undefined));
  for (const line of lines) {
    if (DECLARATION.test(line)) continue;
    const [, from = '', to = ''] = MESSAGE.exec(line) ?? assert.fail(line);
    assert.ok(declared.has(from) && declared.has(to), line);
  }
}
