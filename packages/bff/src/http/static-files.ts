/**
 * The built files of the widget, read into memory at start with their compressed forms: `widget.js`, and files whose names
 * change with their content (`assets/*`, `widget-<version>-<hash>.js`). Replacing files on disk has no effect on a process.
 *
 * An archive, a directory that the instances of a fleet share, keeps the files of other releases available, so that pages
 * that loaded another release get their chunks during an upgrade. Each process adds its own files to it at start.
 */

import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ConfigError } from '../config/config.ts';

/** How long browsers use `widget.js` without revalidation, in seconds. */
const WIDGET_MAX_AGE = 300;

/** One year, in seconds. */
const IMMUTABLE_MAX_AGE = 31_536_000;

/** How often a request for an unknown file may make the process look into the archive, in ms. */
const ARCHIVE_INTERVAL_MS = 1_000;

/** Preferred first. The suffix is that of the compressed file. */
const encodings = [{ encoding: 'br', suffix: '.br' }, { encoding: 'gzip', suffix: '.gz' }, { encoding: 'identity', suffix: '' }] as const;

const WIDGET = '/widget.js';
const PINNED_WIDGET = /^\/widget-[\w.+-]+\.js$/;
const ASSET = /^\/assets\/[\w.+-]+\.js$/;

interface Representation {
  readonly encoding: (typeof encodings)[number]['encoding'];
  readonly body: Buffer;
  readonly etag: string;
}

/** In order of preference; `identity` is the last one. */
type StaticFile = readonly Representation[];

export interface StaticFilesOptions {
  readonly directory?: string;
  /** Files of other releases. Default: none. */
  readonly archive?: string | undefined;
}

/** The built widget: `dist/widget` of this package, for `src` and `dist` alike. */
export function widgetDirectory(): string {
  return join(import.meta.dirname, '../../dist/widget');
}

/** The label of a static path in logs and metrics; `undefined` for other paths. */
export function staticRouteLabel(path: string): string | undefined {
  if (path === WIDGET) return path;
  if (PINNED_WIDGET.test(path)) return '/widget-*.js';
  return path.startsWith('/assets/') ? '/assets/*' : undefined;
}

export class StaticFiles {
  readonly #files: Map<string, StaticFile>;
  readonly #archive: string | undefined;
  #lastLook: { readonly at: number; readonly done: Promise<void> } | undefined;

  private constructor(files: Map<string, StaticFile>, archive: string | undefined) {
    this.#files = files;
    this.#archive = archive;
  }

  /** @throws {ConfigError} if the archive cannot be used; a system error if the built files are missing */
  static async read({ directory = widgetDirectory(), archive }: StaticFilesOptions = {}): Promise<StaticFiles> {
    const files = new StaticFiles(new Map(), archive);
    await files.#readNew(directory, (path) => path === WIDGET || isImmutable(path));
    if (archive !== undefined) {
      try {
        await copyToArchive(directory, archive);
        await files.#readNew(archive, isImmutable);
      } catch {
        throw new ConfigError(['VESTIBULE_WIDGET_ARCHIVE: must be a directory that this process can read and write']);
      }
    }
    return files;
  }

  /** Handles `GET` and `HEAD` of known files. Ignores `Range`. */
  readonly handler: RequestHandler = (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (isRead && staticRouteLabel(req.path) !== undefined) return this.#handle(req, res, next);
    next();
  };

  async #handle(req: Request, res: Response, next: NextFunction): Promise<void> {
    const file = await this.#find(req.path);
    const representation = file?.find(({ encoding }) => encoding === 'identity' || req.acceptsEncodings(encoding));
    if (representation) send(res, req.path, representation);
    else next();
  }

  async #find(path: string): Promise<StaticFile | undefined> {
    if (!this.#files.has(path) && isImmutable(path)) await this.#lookIntoArchive();
    return this.#files.get(path);
  }

  /** Finds files of a release that started after this process. */
  #lookIntoArchive(): Promise<void> | undefined {
    if (this.#archive === undefined) return undefined;
    const now = performance.now();
    if (!this.#lastLook || now - this.#lastLook.at >= ARCHIVE_INTERVAL_MS) {
      this.#lastLook = { at: now, done: this.#readNew(this.#archive, isImmutable).catch(() => undefined) };
    }
    return this.#lastLook.done;
  }

  async #readNew(directory: string, isServed: (path: string) => boolean): Promise<void> {
    const paths = await listPaths(directory);
    const added = [...paths].filter((path) => isServed(path) && !this.#files.has(path));
    await Promise.all(added.map(async (path) => { this.#files.set(path, await readRepresentations(directory, path, paths)); }));
  }
}

function isImmutable(path: string): boolean {
  return PINNED_WIDGET.test(path) || ASSET.test(path);
}

/** Paths as requested, compressed forms included. */
async function listPaths(directory: string): Promise<ReadonlySet<string>> {
  const names = await readdir(directory);
  const assets = names.includes('assets') ? await readdir(join(directory, 'assets')) : [];
  return new Set([...names.map((name) => `/${name}`), ...assets.map((name) => `/assets/${name}`)]);
}

async function readRepresentations(directory: string, path: string, paths: ReadonlySet<string>): Promise<StaticFile> {
  const present = encodings.filter(({ suffix }) => paths.has(path + suffix));
  return Promise.all(present.map(async ({ encoding, suffix }) => {
    const body = await readFile(join(directory, path + suffix));
    return { encoding, body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` };
  }));
}

/** Compressed forms come first: a file that is listed is complete. */
async function copyToArchive(directory: string, archive: string): Promise<void> {
  await mkdir(join(archive, 'assets'), { recursive: true });
  const [built, archived] = await Promise.all([listPaths(directory), listPaths(archive)]);
  for (const path of [...built].filter(isImmutable)) {
    for (const { suffix } of encodings) {
      const name = path + suffix;
      if (built.has(name) && !archived.has(name)) await copyAtomically(join(directory, name), join(archive, name));
    }
  }
}

async function copyAtomically(from: string, to: string): Promise<void> {
  const temporary = `${to}.${randomUUID()}.tmp`;
  try {
    await copyFile(from, temporary);
    await rename(temporary, to);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** `send` answers `HEAD` and conditional requests. */
function send(res: Response, path: string, { encoding, body, etag }: Representation): void {
  res.set({
    'Accept-Ranges': 'none',
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': isImmutable(path)
      ? `public, max-age=${IMMUTABLE_MAX_AGE}, immutable`
      : `public, max-age=${WIDGET_MAX_AGE}, must-revalidate`,
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
  });
  res.vary('Accept-Encoding').send(body);
}
