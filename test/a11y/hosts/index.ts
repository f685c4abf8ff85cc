/** Pages of five publishers with different styles. */

import { cms } from './cms.ts';
import { darkBlog } from './dark-blog.ts';
import type { Host } from './host.ts';
import { narrowColumn } from './narrow-column.ts';
import { newspaper } from './newspaper.ts';
import { rightToLeft } from './right-to-left.ts';

export const hosts: readonly Host[] = [newspaper, darkBlog, cms, narrowColumn, rightToLeft];
