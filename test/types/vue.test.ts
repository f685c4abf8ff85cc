// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- Vue itself is no dependency
/// <reference path="../../packages/widget/src/vue-stand-in.d.ts" />
/** The elements in Vue templates. What is right compiles, and each line that is wrong is marked. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as typings from '@vestibule/widget/vue';
import type { GlobalComponents } from 'vue';

type PropsOf<Name extends 'vestibule-comments' | 'vestibule-sync'> = InstanceType<GlobalComponents[Name]>['$props'];

const box = {
  forum: 'news', page: 'https://www.example.com/a', sync: 'inline', theme: 'dark', maxLength: 500, strings: { core: { heading: 'Letters' } },
  'onVestibule-posted': ({ detail }) => void detail.post,
  'onVestibule-state': ({ detail }) => void (detail.state satisfies 'anonymous' | 'validating' | 'signed-in'),
} as const satisfies PropsOf<'vestibule-comments'>;

const form = { forum: 'news', openerOrigins: 'https://www.example.com' } as const satisfies PropsOf<'vestibule-sync'>;

const wrong = [
  // @ts-expect-error no forum
  {} satisfies PropsOf<'vestibule-comments'>,
  // @ts-expect-error no such variant
  { forum: 'news', sync: 'window' } satisfies PropsOf<'vestibule-comments'>,
  // @ts-expect-error the form has no sync
  { sync: 'inline' } satisfies PropsOf<'vestibule-sync'>,
];

describe('@vestibule/widget/vue', () => {
  it('is types and nothing else', () => {
    assert.deepEqual(Object.keys(typings), []);
    assert.ok(box && form && wrong);
  });
});
