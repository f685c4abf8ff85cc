/** The documentation's JavaScript and TypeScript, before a strict compiler that knows the packages as their users do. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { codeBlocks, root } from './_documents.ts';

const MODULES = ['@vestibule', '@types', 'express', 'lit', 'pino', 'vite'];

const compilerOptions = {
  target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], module: 'nodenext', moduleDetection: 'force', jsx: 'react-jsx', types: ['node'],
  strict: true, exactOptionalPropertyTypes: true, noEmit: true, allowJs: true, checkJs: true, skipLibCheck: true,
};

/** The typings of the template languages that no block shows. */
const TEMPLATES = `import type { SvelteHTMLElements } from 'svelte/elements';
import type { GlobalComponents } from 'vue';
import type {} from '@vestibule/widget/svelte';
import type {} from '@vestibule/widget/vue';

type VueProps = InstanceType<GlobalComponents['vestibule-comments']>['$props'];

export const vue: VueProps = { id: 'a', forum: 'news', maxLength: 9, onVestibulePosted: ({ detail }) => { console.log(detail.post); } };
export const svelte: SvelteHTMLElements['vestibule-comments'] = { 'max-length': 9, 'onvestibule-posted': ({ detail }) => detail.post };
// @ts-expect-error -- a number
export const mistaken: VueProps = { maxLength: '9' };
`;

/** A hook with a wrong result. */
const WRONG_HOOK = `import { defineConfig } from '@vestibule/bff';
export default defineConfig({ posts: { prepare: () => ({ ok: 'yes' }) } });
`;

/** A publisher's own modules, and packages that are no dependency. */
const DECLARATIONS: Readonly<Record<string, string>> = {
  'basque.d.ts': `import type { Language } from '@vestibule/widget'; export const basque: Language;`,
  'react.d.ts': `declare module 'react' {
    interface HTMLAttributes<T> { id?: string }
    type DetailedHTMLProps<A, T> = A & { ref?: { current: T | null } };
    export function useRef<T>(value: T | null): { current: T | null };
    export function useEffect(effect: () => void, on?: readonly unknown[]): void;
    export namespace JSX { interface IntrinsicElements {} }
  }
  declare module 'react/jsx-runtime' {
    import type { JSX as Own } from 'react';
    export namespace JSX { interface IntrinsicElements extends Own.IntrinsicElements {} }
  }`,
  'svelte.d.ts': `declare module 'svelte/elements' { interface HTMLAttributes<T> { id?: string } interface SvelteHTMLElements {} }`,
  'vue.d.ts': `declare module 'vue' {
    interface HTMLAttributes { id?: string }
    interface VNodeProps { key?: string; ref?: string }
    interface GlobalComponents {}
  }
  declare module '@vitejs/plugin-vue' {
    interface Options { template?: { compilerOptions?: { isCustomElement?: (tag: string) => boolean } } }
    export default function vue(options?: Options): import('vite').Plugin;
  }`,
};

describe('the code of the documentation', async () => {
  const blocks = await codeBlocks('js', 'ts', 'tsx');
  const fileOf = (index: number): string => `block-${index}.${blocks[index]?.language}`;
  const compiled = suiteResource(async () => {
    const directory = await temporaryDirectory();
    const write = (name: string, text: string) => writeFile(join(directory.path, name), text);
    await mkdir(join(directory.path, 'node_modules'));
    for (const name of MODULES) await symlink(join(root, 'node_modules', name), join(directory.path, 'node_modules', name));
    for (const [index, { code }] of blocks.entries()) await write(fileOf(index), code);
    for (const [name, text] of Object.entries(DECLARATIONS)) await write(name, text);
    await write('templates.ts', TEMPLATES);
    await write('wrong-hook.ts', WRONG_HOOK);
    await write('package.json', '{ "type": "module" }');
    await write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*'] }));
    const { promise, resolve } = Promise.withResolvers<string>();
    execFile(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', directory.path], (_error, stdout) => { resolve(stdout); });
    return { ...directory, errors: (await promise).split('\n').filter((line) => line !== '') };
  });

  for (const [index, { place }] of blocks.entries()) {
    it(`compiles: ${place}`, () => {
      assert.deepEqual(compiled().errors.filter((line) => line.includes(fileOf(index))), []);
    });
  }

  it('causes no other compiler error', () => {
    assert.deepEqual(compiled().errors.filter((line) => !/^\s|block-\d|wrong-hook/.test(line)), []);
  });

  it('has the error of a wrong hook once, at the hook', () => {
    const { errors } = compiled();
    assert.deepEqual(errors.filter((line) => line.includes('wrong-hook')).map((line) => line.replace(/:.*|.*\//g, '')), ['wrong-hook.ts(2,40)']);
    assert.deepEqual(errors.filter((line) => line.includes('Overload')), []);
  });
});
