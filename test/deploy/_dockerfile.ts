/** A Dockerfile read into its stages, and its steps carried out by hand in bare directories. Knows what ours uses. */

import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, matchesGlob, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  readonly name: string;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

export function parseDockerfile(text: string): readonly Stage[] {
  const stages: { name: string; base: string; instructions: Instruction[] }[] = [];
  for (const line of text.replaceAll(/\\\n\s*/g, '').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    const from = /^(\S+)(?: AS (\S+))?$/.exec(rest);
    if (name === 'FROM') stages.push({ base: from?.[1] ?? '', name: from?.[2] ?? '', instructions: [] });
    else stages.at(-1)?.instructions.push({ name, text: rest });
  }
  return stages;
}

/** What an instruction of `stage` says, its last one where there are several; a stage inherits from its base. */
export function instructionOf(stages: readonly Stage[], stage: Stage | undefined, name: string): string | undefined {
  if (!stage) return undefined;
  return stage.instructions.findLast((instruction) => instruction.name === name)?.text
    ?? instructionOf(stages, stages.find((other) => other.name === stage.base), name);
}

export interface BuildOptions {
  /** The repository. */
  readonly context: string;
  /** Globs of the `.dockerignore`. */
  readonly ignored: readonly string[];
  /** Where each stage has its file system. */
  readonly rootOf: (stage: Stage) => string;
  /** Whether a `RUN` is carried out; default: all are. */
  readonly isRun?: (stage: Stage, command: string) => boolean;
}

/** Carries out `COPY` and `RUN` of the stages in order. */
export async function buildByHand(
  stages: readonly Stage[],
  { context, ignored, rootOf, isRun = () => true }: BuildOptions,
): Promise<void> {
  const isWanted = (path: string) => !ignored.some((glob) => matchesGlob(relative(context, path), glob));
  for (const stage of stages) {
    const root = rootOf(stage);
    const directory = join(root, instructionOf(stages, stage, 'WORKDIR') ?? '/');
    await mkdir(directory, { recursive: true });
    for (const { name, text } of stage.instructions) {
      if (name === 'COPY') await copy(text, directory);
      if (name === 'RUN' && isRun(stage, text)) await execute(text, root, directory);
    }
  }

  async function copy(text: string, directory: string): Promise<void> {
    const [, from, rest = ''] = /^(?:--from=(\S+) )?(.+)$/.exec(text) ?? [];
    const paths = rest.split(' ');
    const target = paths.pop() ?? '';
    const origin = stages.find(({ name }) => name === from);
    for (const path of paths) {
      const source = origin ? join(rootOf(origin), path) : join(context, path);
      const isIntoDirectory = target.endsWith('/') && target !== './';
      const place = isIntoDirectory || (target === './' && !origin) ? join(directory, target, path.split('/').at(-1) ?? '') : resolve(directory, target);
      await mkdir(dirname(place), { recursive: true });
      // Without a filter, the synchronous copy is the fastest.
      cpSync(source, place, { recursive: true, verbatimSymlinks: true, ...(!origin && { filter: isWanted }) });
    }
  }
}

/** Absolute paths of the image are below `root`. */
async function execute(command: string, root: string, cwd: string): Promise<void> {
  const own = process.getuid?.() === 0 ? '' : 'chown() { :; }; ';
  await run('sh', ['-ec', own + command.replaceAll(/ \/(?=\w)/g, ` ${root}/`)], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], npm_config_prefer_offline: 'true' },
    maxBuffer: 64 * 1024 * 1024,
  });
}
