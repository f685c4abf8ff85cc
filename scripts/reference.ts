/** Writes `docs/reference.md` from the code: `npm run reference`. Texts are the doc comments, help texts and descriptions of
 *  the sources; a test compares the file with them. */

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { endpoints, problemTypes, type ProblemType } from '@vestibule/shared';
import { createProgram } from '../packages/bff/src/cli/program.ts';
import { configSchema } from '../packages/bff/src/config/config-schema.ts';
import { variableOf } from '../packages/bff/src/config/env.ts';
import { ProblemError } from '../packages/bff/src/http/problem-error.ts';
import { Metrics } from '../packages/bff/src/metrics/metrics.ts';
import { MemoryStore } from '../packages/bff/src/store/memory-store.ts';
import { commentsOfMembers, exportsOf, membersOf, summaryOf } from './lib/doc-comments.ts';
import { fromRoot } from './lib/paths.ts';
import { successStatuses } from './lib/success-statuses.ts';

export const referenceFile = fromRoot('docs/reference.md');

type Program = ReturnType<typeof createProgram>;

interface Described {
  readonly name: string;
  readonly description?: string;
  readonly default?: string;
  readonly type?: { readonly text: string };
}

interface Member extends Described {
  readonly kind: string;
  readonly static?: boolean;
  readonly privacy?: string;
  readonly attribute?: string;
  readonly parameters?: readonly { readonly name: string; readonly optional?: boolean }[];
}

interface ElementDeclaration extends Described {
  readonly tagName: string;
  readonly attributes: readonly (Described & { readonly fieldName: string })[];
  readonly events: readonly Described[];
  readonly slots: readonly Described[];
  readonly cssParts: readonly Described[];
  readonly cssProperties: readonly Described[];
  readonly members: readonly Member[];
}

/** Returns the content of the file. */
export async function referenceText(): Promise<string> {
  const elements = await readElements();
  return [
    '# Reference',
    'This page is generated from the code by `npm run reference`. Change the code, not the page.',
    list(['Settings', 'Questions', 'Commands', 'HTTP interface', 'Problems', 'Elements', 'Custom properties', 'Metrics', 'Exports'].map((title) => (
      `[${title}](#${title.toLowerCase().replaceAll(' ', '-')})`
    ))),
    await settings(), await questions(), commands(), await httpInterface(), problems(),
    ...elementSections(elements), customProperties(elements),
    await metrics(), `${await exportTables()}\n`,
  ].join('\n\n');
}

async function settings(): Promise<string> {
  const comments = commentsOfMembers(await sourceOf('packages/bff/src/config/vestibule-config.ts'), 'VestibuleConfig');
  const schemas = Object.entries(configSchema.shape);
  const required = new Set(schemas.filter(([, schema]) => !schema.safeParse(undefined).success).map(([name]) => name));
  const names = schemas.map(([name]) => name).toSorted((a, b) => Number(required.has(b)) - Number(required.has(a)));
  const rows = names.map((name) => {
    const variable = variableOf(name);
    return [variable === name ? 'none' : code(variable), code(name), comments.get(name) ?? missing(name)];
  });
  return [
    '## Settings',
    'A setting comes from an environment variable, or from the configuration file by its name there. The environment wins. A '
    + 'variable whose name ends in `_FILE` reads the value from that file; use it for secrets. Settings are read at the start.',
    '`VESTIBULE_CONFIG` is the path of the configuration file: a module (`.mjs`, `.js`, `.ts`) or JSON. Items of a list are separated by '
    + 'commas or line breaks in a variable, and lists are arrays in the file. A JSON file can name its schema for editors: '
    + '`"$schema": "./node_modules/@vestibule/bff/config.schema.json"`.',
    table(['variable', 'in the file', 'meaning'], rows),
  ].join('\n\n');
}

async function questions(): Promise<string> {
  const comments = commentsOfMembers(await sourceOf('packages/bff/src/config/vestibule-config.ts'), 'ValidationField');
  return [
    '## Questions',
    'The members of an entry of `validation.fields`. [Questions and hooks](questions-and-hooks.md) shows how to use them.',
    table(['member', 'meaning'], [...comments].map(([name, comment]) => [code(name), comment])),
  ].join('\n\n');
}

function commands(): string {
  const program = createProgram(() => undefined);
  const rows = program.commands.flatMap((command) => [command, ...command.commands]).filter((command) => command.name() !== 'help')
    .map((command) => [code(usageOf(command)), sentence(command.description())]);
  const options = program.commands.flatMap((command) => command.options.map(({ flags, description }) => (
    [code(command.name()), code(flags), sentence(description)]
  )));
  const help = textOf(program);
  const statuses = [...help.slice(help.indexOf('Exit statuses:')).matchAll(/^ {2}([\d, ]+?) {2,}(.+)$/gm)];
  return [
    '## Commands',
    '`vestibule COMMAND` stands for [the command of your installation](install.md#commands-where-the-secrets-are). '
    + '`vestibule help COMMAND` prints options and examples.',
    table(['command', 'purpose'], rows),
    table(['command', 'option', 'meaning'], options),
    table(['exit status', 'meaning'], statuses.map(([, status = '', meaning = '']) => [status, sentence(meaning)])),
  ].join('\n\n');
}

/** Types of bodies and their parts, by the file of `packages/shared/src`. */
const bodyTypes: readonly (readonly [file: string, types: readonly string[]])[] = [
  ['session.ts', ['SessionView', 'SyncOffer', 'User']],
  ['form.ts', ['Form', 'FormField', 'FieldOption']],
  ['sync.ts', ['SyncReturn', 'SyncStart', 'SyncValidation', 'SyncCancellation', 'SyncOutcome']],
  ['posts.ts', ['NewPost', 'PostCreated', 'PostList', 'ListedPost']],
  ['problem.ts', ['Problem']],
];

async function httpInterface(): Promise<string> {
  const members = await Promise.all(bodyTypes.map(async ([file, types]) => {
    const source = await sourceOf(`packages/shared/src/${file}`);
    return types.flatMap((type) => membersOf(source, type).map(({ name, isOptional, value, comment }) => (
      [code(type), code(name), isOptional ? 'no' : 'yes', code(value), comment || missing(`${type}.${name}`)]
    )));
  }));
  const comments = commentsOfMembers(await sourceOf('packages/shared/src/endpoints.ts'), 'endpoints');
  return [
    '## HTTP interface',
    'Paths are relative to the public URL. `healthz` and `readyz` also answer at the root. Bodies are JSON; their types are exports of '
    + '`@vestibule/shared`, where `endpoints` has this table. Responses are `no-store`, except static files and `GET /posts`.',
    table(['request', 'name', 'success', 'meaning'], Object.entries(endpoints).map(([name, { method, path }]) => (
      [code(`${method} ${path}`), code(name), successStatuses[name as keyof typeof endpoints].join(' or '), comments.get(name) ?? missing(name)]
    ))),
    list([
      'A `POST` or `DELETE` needs an `Origin` of `VESTIBULE_ALLOWED_ORIGINS` or of the public URL, or no `Origin` and `Sec-Fetch-Site: same-origin`. Otherwise the problem is '
      + '`cross-site-request`.',
      'The body of a request is one JSON object with `Content-Type: application/json`, in UTF-8, without compression. A member that the type '
      + 'does not have is `invalid-request`.',
      '`Idempotency-Key` has 8 to 128 visible ASCII characters. `POST /posts` needs it; `POST /sync` accepts it. A repeated `POST /sync` '
      + 'with the same key gets the same sign-in. A repeated `POST /posts` with the same key and body gets the stored response, with '
      + '`Idempotency-Replayed: true`.',
      '`too-many-requests`, `service-unavailable` and `post-in-progress` can have `Retry-After`, in seconds.',
      'Responses that count for a rate limit have `RateLimit` and `RateLimit-Policy` (draft 8 of the IETF), unless `VESTIBULE_RATE_LIMITS` is `off`.',
    ]),
    'The members of the bodies. A value with the name of a type of this table is an object of this type, and `[]` marks a list. The meaning '
    + 'describes values with another name.',
    table(['type', 'member', 'required', 'value', 'meaning'], members.flat()),
  ].join('\n\n');
}

function problems(): string {
  const rows = Object.entries(problemTypes).map(([type, { status, retryable }]) => (
    [code(type), String(status), retryable ? 'yes' : 'no', new ProblemError(type as ProblemType).detail]
  ));
  return [
    '## Problems',
    'A failure is a problem (RFC 9457) with the media type `application/problem+json`. `type` is `urn:vestibule:` and a name of this '
    + 'table. `instance` ends in the request id, which finds the line in the log. `retryable` is true if the identical request may be '
    + 'repeated. `fields` has messages for the fields at fault; `user-changed` has a `user`: at a sign-in the proven one, at a post the one who is signed in.',
    table(['problem', 'status', 'retryable', 'default text for the reader'], rows),
    'In an event of an element, `network` is a further problem: no response of the BFF arrived.',
  ].join('\n\n');
}

function elementSections(elements: readonly ElementDeclaration[]): string[] {
  return ['## Elements', ...elements.map((element) => {
    const { tagName, description = '', attributes, events, slots, cssParts, members } = element;
    const properties = members.filter(({ kind, attribute, privacy }) => kind === 'field' && attribute === undefined && privacy !== 'private');
    const methods = members.filter(({ kind }) => kind === 'method');
    return [
      `### \`<${tagName}>\``,
      description.replaceAll('\n\n', '\u0000').replaceAll('\n', ' ').replaceAll('\u0000', '\n\n'),
      table(['attribute', 'property', 'values', 'meaning'], attributes.map((one) => (
        [code(one.name), code(one.fieldName), code(one.type?.text ?? 'string'), described(one, tagName)]
      ))),
      table(['property without attribute', 'type', 'meaning'], properties.map((one) => [code(one.name), code(one.type?.text ?? ''), described(one, tagName)])),
      table(['method', 'meaning'], methods.map((one) => [code(`${one.static ? 'static ' : ''}${one.name}()`), described(one, tagName)])),
      table(['event', 'meaning'], events.map((one) => [code(one.name), described(one, tagName)])),
      table(['slot', 'meaning'], slots.map((one) => [code(one.name), described(one, tagName)])),
      table(['part', 'meaning'], cssParts.map((one) => [code(one.name), described(one, tagName)])),
    ].join('\n\n');
  })];
}

function customProperties(elements: readonly ElementDeclaration[]): string {
  const rows = new Map<string, string[]>();
  for (const { tagName, cssProperties } of elements) {
    for (const one of cssProperties) {
      if (!rows.has(one.name)) rows.set(one.name, [code(one.name), code(one.default ?? missing(`the default of ${one.name}`)), sentence(one.description ?? missing(one.name)), '']);
      const row = rows.get(one.name) ?? [];
      row[3] = [row[3], code(tagName)].filter((text) => text !== '').join(', ');
    }
  }
  return [
    '## Custom properties',
    'Set them on the element or on an ancestor. [Looks](looks.md) shows how to use them.',
    table(['property', 'default', 'meaning', 'elements'], [...rows.values()]),
  ].join('\n\n');
}

async function metrics(): Promise<string> {
  const all = new Metrics();
  all.store.measure(new MemoryStore());
  const text = await all.text();
  const own = [...text.matchAll(/^# HELP (vestibule_\w+) (.+)\n# TYPE \w+ (\w+)$/gm)];
  const rows = own.map(([, name = '', help = '', type = '']) => [code(name), type, labelsOf(text, name), sentence(help)]);
  return [
    '## Metrics',
    '`GET /metrics` on `VESTIBULE_ADMIN_PORT`, in the Prometheus text format. Each series exists from the start at 0, except the state `closed`, which '
    + 'is 1. The `process_` and `nodejs_` metrics of prom-client are there too.',
    table(['metric', 'type', 'labels and their values', 'meaning'], rows),
  ].join('\n\n');
}

function labelsOf(text: string, metric: string): string {
  const values = new Map<string, Set<string>>();
  for (const [, labels = ''] of text.matchAll(new RegExp(`^${metric}(?:_count)?(?:\\{([^}]*)\\})? `, 'gm'))) {
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) values.set(label, (values.get(label) ?? new Set()).add(value));
  }
  return values.size === 0 ? 'none' : [...values].map(([label, ones]) => `${code(label)}: ${valuesOf([...ones])}`).join('; ');
}

/** Lists of other sections that are too long for a cell. */
const longLists: readonly (readonly [name: string, isPart: (value: string) => boolean])[] = [
  ['a [problem](#problems)', (value) => Object.hasOwn(problemTypes, value)],
  ['a path of the [HTTP interface](#http-interface)', (value) => Object.values(endpoints).some(({ path }) => path === value)],
  ['an HTTP status', (value) => /^\d{3}$/.test(value)],
];

function valuesOf(values: readonly string[]): string {
  const lists = longLists.filter(([, isPart]) => values.filter(isPart).length > 10);
  const others = values.filter((value) => !lists.some(([, isPart]) => isPart(value)));
  return [...others.map(code), ...lists.map(([name]) => name)].join(', ');
}

async function exportTables(): Promise<string> {
  const sections = await Promise.all(['bff', 'widget', 'shared'].map(async (name) => {
    const exported = await exportsOf(fromRoot('packages', name, 'src/index.ts'));
    const rows = exported.map(({ name: symbol, kind, comment }) => [code(symbol), kind, comment === '' ? missing(symbol) : summaryOf(comment)]);
    return [`### \`@vestibule/${name}\``, table(['export', 'kind', 'meaning'], rows.toSorted(([a = ''], [b = '']) => a.localeCompare(b, 'en')))];
  }));
  return ['## Exports', ...sections.flat()].join('\n\n');
}

async function readElements(): Promise<readonly ElementDeclaration[]> {
  const manifest = JSON.parse(await readFile(fromRoot('packages/widget/custom-elements.json'), 'utf8')) as {
    readonly modules: readonly { readonly declarations?: readonly Partial<ElementDeclaration>[] }[];
  };
  return manifest.modules.flatMap(({ declarations = [] }) => declarations)
    .filter(({ name = '' }) => /^Vestibule(?:Comments|Sync)$/.test(name))
    .map(({ name = '', attributes = [], events = [], slots = [], cssParts = [], cssProperties = [], members = [], description = '' }) => ({
      name, attributes, events, slots, cssParts, cssProperties, members, description, tagName: name.replace(/^Vestibule/, 'vestibule-').toLowerCase(),
    }));
}

async function sourceOf(path: string): Promise<ts.SourceFile> {
  return ts.createSourceFile(path, await readFile(fromRoot(path), 'utf8'), ts.ScriptTarget.Latest, true);
}

function usageOf(command: Program): string {
  const names: string[] = [];
  for (let one: Program | null = command; one; one = one.parent) names.unshift(one.name());
  const args = command.registeredArguments.map((argument) => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`));
  return [...names, ...args].join(' ');
}

function textOf(program: Program): string {
  let text = '';
  program.configureOutput({ writeOut: (part) => { text += part; } });
  program.outputHelp();
  return text;
}

function described({ name, description = '', default: value }: Described, tagName: string): string {
  if (description === '') return missing(`${name} of <${tagName}>`);
  const text = sentence(description.replaceAll(/\s+/g, ' '));
  return value === undefined || /[Dd]efault/.test(text) || value === 'false' ? text : `${text} Default: ${code(value.replaceAll('\'', ''))}.`;
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1) + (/[.:]$/.test(trimmed) ? '' : '.');
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), `|${' --- |'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

function missing(what: string): never {
  throw new Error(`${what} has no description in the sources`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(referenceFile, await referenceText());
