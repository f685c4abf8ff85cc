/** The built files of the widget, read into memory at start with their compressed forms: `widget.js`, `count.js`, and files whose
 *  names change with their content (`assets/*`, `widget-<version>-<hash>.js`). */

import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NextFunction, Request, Response } from 'express';

/** Preferred first. The suffix is that of the compressed file. */
const encodings = [['br', '.br'], ['gzip', '.gz'], ['identity', '']] as const;

const ENTRY = /^\/(?:widget|count)\.js$/;

/** The built widget: `dist/widget` of the installed package, also if a host application has bundled this module.
 *  @throws {Error} for the operator */
export function widgetDirectory(): string {
  try {
    return fileURLToPath(new URL('dist/widget', import.meta.resolve('@vestibule/bff/package.json')));
  } catch (cause) {
    throw new Error('The package @vestibule/bff is not found: install it where the bundle runs, and keep it external to the bundler.', { cause });
  }
}

/** The part of `manifest.json` that this module reads: chunks by source file. */
type Manifest = Readonly<Record<string, { file: string; imports?: string[] }>>;

/** @throws {Error} for the operator, if the widget was not built or cannot be read */
function readWidgetManifest(): Manifest {
  const directory = widgetDirectory();
  const read = (name: string): string => readFileSync(join(directory, name), 'utf8');
  try {
    read('widget.js');
    return JSON.parse(read('manifest.json')) as Manifest;
  } catch (cause) {
    throw new Error('The files of the widget are missing or cannot be read: install @vestibule/bff again; in a checkout, run "npm run build".', { cause });
  }
}

/** Lists the files that the form loads after `widget.js`, in the first of `languages` (BCP 47 tags) that the widget has.
 *  @throws {Error} for the operator */
export function createFormFiles(): (languages: readonly string[]) => string[] {
  const manifest = readWidgetManifest();
  const form = 'src/box/form-in-box.ts';
  return (languages) => {
    const locale = languages.flatMap((tag) => [tag, tag.split('-')[0]!]).map((tag) => `src/locales/${tag}.ts`)
      .find((name) => name in manifest || name === 'src/locales/en.ts');
    const needed = [form, locale, ...manifest[form]?.imports ?? []];
    const chunks = Object.entries(manifest).filter(([name]) => needed.includes(name));
    return chunks.map(([, { file }]) => file).filter((file) => file !== 'widget.js');
  };
}

/** Instances in one process share the contents. */
let contents: ReturnType<typeof readFiles> | undefined;

function readFiles(directory: string) {
  const names = globSync('{*.js,assets/*.js}{,.br,.gz}', { cwd: directory });
  return new Map(names.filter((name) => name.endsWith('.js')).map((name) => [
    `/${name}`,
    encodings.filter(([, suffix]) => names.includes(name + suffix)).map(([encoding, suffix]) => {
      const body = readFileSync(join(directory, name + suffix));
      return { encoding, body, etag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"` };
    }),
  ]));
}

/** @throws a system error if the files are missing */
export function createStaticFiles() {
  const files = contents ??= readFiles(widgetDirectory());
  return { has: (path: string) => files.has(path), send };

  /** Handles `GET` and `HEAD` of the files; other requests pass. Ignores `Range`. */
  function send(req: Request, res: Response, next: NextFunction): void {
    const file = req.method === 'GET' || req.method === 'HEAD' ? files.get(req.path) : undefined;
    const found = file?.find(({ encoding }) => encoding === 'identity' || req.acceptsEncodings(encoding));
    if (!found) return next();
    res.set({
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': ENTRY.test(req.path) ? 'public, max-age=300, must-revalidate' : 'public, max-age=31536000, immutable',
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ETag: found.etag,
      'X-Content-Type-Options': 'nosniff',
      ...(found.encoding !== 'identity' && { 'Content-Encoding': found.encoding }),
    });
    res.vary('Accept-Encoding').send(found.body);
  }
}
