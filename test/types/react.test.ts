// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- React itself is no dependency
/// <reference path="../../packages/widget/src/react-stand-in.d.ts" />
/** The elements in JSX. What is right compiles, and each line that is wrong is marked: the check of types fails where one of
 *  them would pass. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as typings from '@vestibule/widget/react';
import type { JSX } from 'react';

type Elements = JSX.IntrinsicElements;

const box = {
  key: 'box', forum: 'news', sync: 'inline', theme: 'dark', lang: 'de', maxLength: 500, headingLevel: 3, strings: { core: { heading: 'Letters' } },
  'onvestibule-posted': ({ detail, currentTarget }) => void [detail.post, currentTarget.forum, currentTarget.signIn()],
  'onvestibule-state': ({ detail }) => void (detail.state satisfies 'anonymous' | 'validating' | 'signed-in'),
  'onvestibule-completed': (event) => event.preventDefault(),
} as const satisfies Elements['vestibule-comments'];

const form = { forum: 'news', openerOrigins: 'https://www.example.com', children: 'a link' } as const satisfies Elements['vestibule-sync'];

const wrong = [
  // @ts-expect-error no forum
  {} satisfies Elements['vestibule-comments'],
  // @ts-expect-error no such way
  { forum: 'news', sync: 'window' } satisfies Elements['vestibule-comments'],
  // @ts-expect-error the event brings a problem, no state
  { forum: 'news', 'onvestibule-error': ({ detail }) => void detail.state } satisfies Elements['vestibule-comments'],
  // @ts-expect-error the form has no sync
  { sync: 'inline' } satisfies Elements['vestibule-sync'],
];

describe('@vestibule/widget/react', () => {
  it('is types and nothing else, beside React’s own elements', () => {
    assert.deepEqual(Object.keys(typings), []);
    assert.ok(box && form && wrong && ({ className: 'x' } satisfies Elements['div']));
  });
});
