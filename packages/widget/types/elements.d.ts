/** Properties, attributes and events of the elements, for the typings of the frameworks. Types only. */

import type { VestibuleComments, VestibuleCount, VestibuleSync } from '@vestibule/widget';

/** The elements by their tags. */
export interface Elements {
  'vestibule-comments': VestibuleComments;
  'vestibule-count': VestibuleCount;
  'vestibule-sync': VestibuleSync;
}

/** Listeners as JSX names them. */
export type Events<Prefix extends string = 'on'> = {
  [Type in keyof HTMLElementEventMap as Type extends `vestibule-${string}` ? `${Prefix}${Type}` : never]?:
    ((event: HTMLElementEventMap[Type]) => void) | undefined;
};

type Properties<Element, Names extends keyof Element> = { [Name in Names]?: Element[Name] | undefined };
type Renamed<Element, Names extends Record<string, keyof Element>> = { [Name in keyof Names]?: Element[Names[Name]] | undefined };
type Texts<Names extends string> = { [Name in Names]?: string | undefined };

/** Properties by tag. */
export interface ElementProperties {
  'vestibule-comments': Properties<VestibuleComments,
  'forum' | 'page' | 'sync' | 'bff' | 'theme' | 'maxLength' | 'placeholder' | 'headingLevel' | 'showPosts' | 'order' | 'closed'
  | 'reportUrl' | 'strings'>;
  'vestibule-count': Texts<'forum' | 'page' | 'bff' | 'strings'>;
  'vestibule-sync': Properties<VestibuleSync,
    'forum' | 'bff' | 'theme' | 'site' | 'inline' | 'openerOrigins' | 'headingLevel' | 'strings' | 'syncReturn'>;
}

/** Attributes by tag whose names differ from those of the properties. */
export interface ElementAttributes {
  'vestibule-comments': Renamed<VestibuleComments,
    { 'max-length': 'maxLength'; 'heading-level': 'headingLevel'; 'show-posts': 'showPosts'; 'report-url': 'reportUrl' }>;
  'vestibule-count': object;
  'vestibule-sync': Renamed<VestibuleSync, { 'opener-origins': 'openerOrigins'; 'heading-level': 'headingLevel' }>;
}

/** All of these for a template. */
export type ElementProps<Tag extends keyof Elements> = ElementProperties[Tag] & ElementAttributes[Tag] & Events;
