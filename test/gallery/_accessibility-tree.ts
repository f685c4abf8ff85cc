/** Chromium's full accessibility tree of a page as text: a line for each node, indented, with role, name and properties. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';

interface AXValue {
  readonly value?: unknown;
}

interface AXNode {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: AXValue;
  readonly name?: AXValue;
  readonly description?: AXValue;
  readonly value?: AXValue;
  readonly properties?: readonly { readonly name: string; readonly value: AXValue }[];
  readonly childIds?: readonly string[];
}

/** Properties that assistive technology announces. */
const PROPERTIES = new Set([
  'level', 'invalid', 'required', 'disabled', 'checked', 'expanded', 'live', 'atomic', 'readonly', 'multiline', 'focused', 'url',
]);
/** Pieces of a text, which their parent repeats. */
const OMITTED = new Set(['InlineTextBox', 'LineBreak']);

/** The committed trees; `accessibility-trees.ts` writes them. */
export const TREES = resolve(import.meta.dirname, 'accessibility-trees.txt');

/** The committed trees by state. */
export async function readTrees(): Promise<ReadonlyMap<string, string>> {
  const sections = (await readFile(TREES, 'utf8')).split(/^== /m).slice(1);
  return new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), section.slice(section.indexOf('\n') + 1).trimEnd()]));
}

export async function readAccessibilityTree(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree') as unknown as { nodes: readonly AXNode[] };
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines: string[] = [];
  const visit = (node: AXNode, depth: number, parent?: AXNode): void => {
    const role = String(node.role?.value ?? 'none');
    const isRepeated = role === 'StaticText' && [parent?.name?.value, parent?.value?.value].includes(node.name?.value);
    if (OMITTED.has(role) || isRepeated) return;
    const isShown = !node.ignored && role !== 'generic';
    if (isShown) lines.push('  '.repeat(depth) + describe(node, role));
    for (const id of node.childIds ?? []) {
      const child = byId.get(id);
      if (child) visit(child, depth + (isShown ? 1 : 0), isShown ? node : parent);
    }
  };
  visit(nodes[0]!, 0);
  return withoutVariables(lines.join('\n'));
}

function describe({ name, description, value, properties = [] }: AXNode, role: string): string {
  const quoted = (text: unknown): string => JSON.stringify(text);
  const shown = properties.filter(({ name: key, value: { value: set } }) => PROPERTIES.has(key) && set !== false && set !== 'false');
  return [
    role,
    ...(name?.value ? [quoted(name.value)] : []),
    ...(description?.value ? [`description=${quoted(description.value)}`] : []),
    ...(value?.value ? [`value=${quoted(value.value)}`] : []),
    ...shown.map(({ name: key, value: { value: set } }) => (set === true ? key : `${key}=${String(set)}`)),
  ].join(' ');
}

/** Ports, dates, times of day and seconds differ from run to run. */
function withoutVariables(text: string): string {
  return text.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST').replaceAll(/\b[A-Z]\w+day, \d+ [A-Z]\w+ \d{4}\b/g, 'DATE')
    .replaceAll(/\b\d?\d:\d\d(?: [AP]M)?\b/g, 'TIME').replaceAll(/in \d+ seconds?/g, 'in N seconds')
    .replaceAll(/\/bff\/[\da-f-]{36}\//g, '/bff/ID/');
}
