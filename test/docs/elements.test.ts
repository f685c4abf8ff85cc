/** What the documentation says of the elements, against the manifest, which is made from the sources. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { readDocument } from './_documents.ts';

interface Named {
  readonly name: string;
}

interface Declaration extends Named {
  readonly customElement?: boolean;
  readonly attributes?: readonly Named[];
  readonly events?: readonly Named[];
  readonly slots?: readonly Named[];
  readonly cssParts?: readonly Named[];
  readonly cssProperties?: readonly Named[];
  readonly members?: readonly (Named & { readonly kind: string })[];
}

const directory = resolve(import.meta.dirname, '../../packages/widget');
const readme = await readFile(join(directory, 'README.md'), 'utf8');
const manifest = JSON.parse(await readFile(join(directory, 'custom-elements.json'), 'utf8')) as {
  readonly modules: readonly { readonly declarations?: readonly Declaration[] }[];
};
const elements = manifest.modules.flatMap(({ declarations = [] }) => declarations).filter(({ name }) => /^Vestibule(?:Comments|Sync)$/.test(name));

/** What a section puts between backquotes, attributes and calls by their names. */
function namesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/\(\)$/, '')));
}

function sectionOf(tag: string): string {
  return readme.split(/^## /m).find((section) => section.startsWith(`\`<${tag}>\``)) ?? '';
}

describe('the README of the widget', () => {
  for (const { name, attributes = [], events = [], slots = [], cssParts = [], members = [] } of elements) {
    const tag = name.replace(/^Vestibule/, 'vestibule-').toLowerCase();

    it(`names everything of <${tag}> that a page can rely on`, () => {
      const told = namesIn(sectionOf(tag));
      const all = [...attributes, ...events, ...slots, ...cssParts, ...members];
      assert.ok(all.length > 20);
      assert.deepEqual(all.map((one) => one.name).filter((one) => !told.has(one)), []);
    });
  }

  it('lists every custom property, and no other', () => {
    const rows = [...readme.matchAll(/^\| `(--vestibule-[\w-]+)` \|/gm)].map(([, name]) => name);
    const properties = elements.flatMap(({ cssProperties = [] }) => cssProperties.map(({ name }) => name));
    assert.deepEqual(rows.toSorted(), [...new Set(properties)].toSorted());
  });
});

describe('the README of the repository', async () => {
  const front = await readDocument('README.md');

  it('names attributes, events, methods and custom properties that there are', () => {
    const [comments] = elements.filter(({ name }) => name === 'VestibuleComments');
    const { attributes = [], events = [], members = [], cssProperties = [] } = comments ?? {};
    const known = new Set([...attributes, ...events, ...members, ...cssProperties].map(({ name }) => name));
    const section = front.split(/^## /m).find((text) => text.startsWith('The box and its looks')) ?? '';
    const rows = [...section.matchAll(/^\| ((?:`[\w-]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) => [...namesIn(cell)]);
    const named = [...namesIn(section)].filter((name) => /^vestibule-\w+$/.test(name));
    const styled = section.match(/--vestibule-[\w-]+/g) ?? [];
    assert.ok(rows.length >= 9 && named.length >= 4 && styled.length >= 3);
    assert.deepEqual([...rows, ...named, ...styled].filter((name) => !known.has(name)), []);
  });
});
