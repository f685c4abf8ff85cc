/** The static files of the service's pages. */

import { readFileSync } from 'node:fs';
import { paths } from './paths.ts';
import type { Reply } from './reply.ts';

const assets: Readonly<Record<string, Reply>> = {
  [paths.stylesheet]: asset('service.css', 'text/css; charset=utf-8'),
  [paths.completionScript]: asset('complete.js', 'text/javascript; charset=utf-8'),
};

export function assetAt(path: string): Reply | undefined {
  return assets[path];
}

function asset(file: string, contentType: string): Reply {
  return { status: 200, headers: { 'Content-Type': contentType }, body: readFileSync(new URL(`pages/${file}`, import.meta.url)) };
}
