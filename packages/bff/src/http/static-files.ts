/**
 * The built files of the widget, read into memory at start, synchronously, with their compressed forms: `widget.js`, and files
 * whose names change with their content (`assets/*`, `widget-<version>-<hash>.js`). A process keeps what it has read.
 *
 * An archive, a directory that the instances of a fleet share, keeps the files of other releases available, so that pages
 * that loaded another release get their chunks during an upgrade. Each process adds its own files to it at start.
 */

import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestHandler, Response } from 'express';
import { ConfigError } from '../config/config.ts';
import { pause, withDeadline } from '../lib/time.ts';

/** Five minutes for `widget.js`, a year for files named after their content. */
const WIDGET_CACHING = 'public, max-age=300, must-revalidate';
const IMMUTABLE_CACHING = 'public, max-age=31536000, immutable';

/** Requests for unknown files share the next look into the archive: the pause before it, and how long they wait for it, in ms. */
const ARCHIVE_INTERVAL_MS = 100;
const ARCHIVE_TIMEOUT_MS = 3_000;

/** Fault of a `widgetArchive` that cannot be used. */
export const ARCHIVE_FAULT = 'VESTIBULE_WIDGET_ARCHIVE: must be a directory that this process can read and write';

/** Archived files in memory; at start at most half of it. A release has about 1 MiB. */
const MAX_ARCHIVE_BYTES = 128 * 1024 * 1024;

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
type Read = (path: string) => Buffer | Promise<Buffer>;

export interface StaticFilesOptions {
  readonly directory?: string;
  /** Files of other releases. Default: none. */
  readonly archive?: string | undefined;
  readonly maxArchiveBytes?: number;
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
  readonly #files = new Map<string, StaticFile>();
  readonly #archive: string | undefined;
  readonly #maxBytes: number;
  #archivedBytes = 0;
  #look: Promise<void> = Promise.resolve();
  #nextLook: Promise<void> | undefined;

  private constructor({ archive, maxArchiveBytes = MAX_ARCHIVE_BYTES }: StaticFilesOptions) {
    this.#archive = archive;
    this.#maxBytes = maxArchiveBytes;
  }

  /** @throws {ConfigError} if the archive cannot be used; a system error if the built files are missing */
  static async read(options: StaticFilesOptions = {}): Promise<StaticFiles> {
    const { directory = widgetDirectory(), archive } = options;
    const files = new StaticFiles(options);
    const paths = await listPaths(directory);
    const served = [...paths].filter((path) => path === WIDGET || isImmutable(path));
    for (const path of served) files.#files.set(path, await readRepresentations(directory, path, paths, readFileSync));
    if (archive !== undefined) {
      try {
        await copyToArchive(directory, archive);
        await files.#readArchive(archive, files.#maxBytes / 2);
      } catch {
        throw new ConfigError([ARCHIVE_FAULT]);
      }
    }
    return files;
  }

  /** Handles `GET` and `HEAD` of known files. Ignores `Range`. */
  readonly handler: RequestHandler = async (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (isRead && this.#archive !== undefined && !this.#files.has(req.path) && isImmutable(req.path)) {
      const archive = this.#archive;
      await withDeadline(
        ARCHIVE_TIMEOUT_MS,
        () => this.#lookIntoArchive(archive),
        () => new Error('The archive did not respond.'),
      ).catch(() => undefined);
    }
    const file = isRead ? this.#files.get(req.path) : undefined;
    const representation = file?.find(({ encoding }) => encoding === 'identity' || req.acceptsEncodings(encoding));
    if (representation) send(res, req.path, representation);
    else next();
  };

  /** Finds files of a release that started after this process. */
  #lookIntoArchive(archive: string): Promise<void> {
    return this.#nextLook ??= Promise.all([this.#look, pause(ARCHIVE_INTERVAL_MS)]).then(() => {
      this.#nextLook = undefined;
      this.#look = this.#readArchive(archive, this.#maxBytes).catch(() => undefined);
      return this.#look;
    });
  }

  /** Newest files first, until `maxBytes` are in memory. */
  async #readArchive(archive: string, maxBytes: number): Promise<void> {
    const paths = await listPaths(archive);
    const added = [...paths].filter((path) => isImmutable(path) && !this.#files.has(path));
    const dated = await Promise.all(added.map(async (path) => ({ path, at: (await stat(join(archive, path))).mtimeMs })));
    for (const { path } of dated.sort((a, b) => b.at - a.at)) {
      const file = await readRepresentations(archive, path, paths, (name) => readFile(name));
      const bytes = this.#archivedBytes + file.reduce((sum, { body }) => sum + body.length, 0);
      if (bytes > maxBytes) return;
      this.#archivedBytes = bytes;
      this.#files.set(path, file);
    }
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

async function readRepresentations(directory: string, path: string, paths: ReadonlySet<string>, read: Read): Promise<StaticFile> {
  return Promise.all(encodings.filter(({ suffix }) => paths.has(path + suffix)).map(async ({ encoding, suffix }) => {
    const body = await read(join(directory, path + suffix));
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
  await copyFile(from, temporary).then(() => rename(temporary, to)).finally(() => rm(temporary, { force: true }));
}

/** `send` answers `HEAD` and conditional requests. */
function send(res: Response, path: string, { encoding, body, etag }: Representation): void {
  res.set({
    'Accept-Ranges': 'none',
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': isImmutable(path) ? IMMUTABLE_CACHING : WIDGET_CACHING,
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
  });
  res.vary('Accept-Encoding').send(body);
}
