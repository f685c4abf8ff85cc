/** The articles in the order of the front page. */

import type { Article } from './article.ts';
import { lamplighter } from './lamplighter.ts';
import { slowRailway } from './slow-railway.ts';
import { townClock } from './town-clock.ts';

export const articles: readonly [Article, ...Article[]] = [lamplighter, slowRailway, townClock];

export type { Article };
