/** Writes the reference from the code, into `docs` and into the package of the BFF; `npm run build` runs it. Its texts are the
 *  sentences of the settings, the help of commands and metrics, and the doc comments of endpoints and elements. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { endpoints, problemTypes } from '@vestibule/shared';
import { Registry } from 'prom-client';
import { createProgram } from '../packages/bff/src/cli/program.ts';
import { createMetrics } from '../packages/bff/src/metrics.ts';

interface Described {
  readonly name: string;
  readonly description?: string;
  readonly default?: string;
}

/** An element of `custom-elements.json`. */
interface Element {
  readonly tagName?: string;
  readonly description?: string;
  readonly attributes?: readonly Described[];
  readonly members?: readonly (Described & { readonly kind: string; readonly privacy?: string })[];
  readonly events?: readonly Described[];
  readonly slots?: readonly Described[];
}

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

const code = (text: string) => `\`${text}\``;
const list = (items: readonly string[]) => items.join('\n');
const section = (title: string, ...parts: readonly string[]) => [`## ${title}`, ...parts.filter((part) => part !== '')].join('\n\n');

function item({ name, description = '', default: value }: Described): string {
  const text = description.replaceAll(/\s+/g, ' ').trim();
  const hasDefault = value === undefined || value === 'false' || /default/i.test(text);
  return `- ${code(name || '(default)')}: ${text.replace(/[^.]$/, '$&.')}${hasDefault ? '' : ` Default: ${code(value.replaceAll('\'', ''))}.`}`;
}

function commands(): string {
  let help = '';
  const print = (text: string) => { help += text; };
  const program = createProgram({ print, printError: print }, () => undefined);
  program.outputHelp();
  const items = program.commands.flatMap((command) => [command, ...command.commands]).map((command) => {
    const names = [command.parent === program ? '' : command.parent?.name(), command.name()];
    const args = command.registeredArguments.map((argument) => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`));
    const options = command.options.map(({ flags, description }) => `  - ${code(flags)}: ${description}`);
    return [item({ name: [...names, ...args].filter(Boolean).join(' '), description: command.description() }), ...options].join('\n');
  });
  const statuses = [...help.slice(help.indexOf('Exit statuses:')).matchAll(/^ {2}([\d, ]+?) {2,}(.+)$/gm)];
  return `${list(items)}\n\nExit statuses:\n\n${list(statuses.map(([, status = '', meaning = '']) => `- ${status}: ${meaning}`))}`;
}

function httpInterface(): string {
  const comments = new Map([...read('packages/shared/src/endpoints.ts').matchAll(/\/\*\* (.+) \*\/\n {2}(\w+):/g)].map(([, text, name]) => [name, text]));
  return list(Object.entries(endpoints).map(([name, { method, path }]) => item({ name: `${method} ${path}`, description: comments.get(name) ?? '' })));
}

function problems(): string {
  const byStatus = Map.groupBy(Object.entries(problemTypes), ([, { status }]) => status);
  return list([...byStatus].sort(([one], [other]) => one - other).map(([status, types]) => (
    `- ${status}: ${types.map(([type, { retryable }]) => `${code(type)}${retryable ? ' (retryable)' : ''}`).join(', ')}`
  )));
}

function elements(): string {
  const { modules } = JSON.parse(read('packages/widget/custom-elements.json')) as { modules: readonly { declarations?: readonly Element[] }[] };
  const group = (title: string, items: readonly Described[] = []) => {
    const described = items.filter(({ name, description }) => description && !/Callback\(/.test(name));
    return described.length === 0 ? [] : [`${title}:`, list(described.map(item))];
  };
  return modules.flatMap(({ declarations = [] }) => declarations).filter(({ tagName }) => tagName).flatMap((element) => [
    `### ${code(`<${element.tagName}>`)}`, element.description ?? '',
    ...group('Attributes', element.attributes),
    ...group('Methods', element.members?.filter(({ kind, privacy }) => kind === 'method' && !privacy)
      .map(({ name, description = '' }) => ({ name: `${name}()`, description }))),
    ...group('Events', element.events), ...group('Slots', element.slots),
  ]).join('\n\n');
}

/** With the labels of each. */
function metrics(): string {
  const registry = new Registry();
  createMetrics(registry);
  const all = registry.getMetricsAsArray() as unknown as readonly (Record<'name' | 'help' | 'type', string> & { labelNames: string[] })[];
  return list(all.map(({ name, help, type, labelNames }) => {
    const names = labelNames.filter((label) => label !== 'site' && label !== 'le');
    return item({ name, description: `${help} A ${type} by ${names.map(code).join(', ')}.` });
  }));
}

const reference = [
  '# Reference',
  'To look up the name of a command, request, problem, attribute, event or metric; settings are in `settings.md`. `npm run build` writes this page from the code.',
  section('Commands', '`vestibule help COMMAND` prints options and examples.', commands()),
  section(
    'HTTP interface', 'Paths are relative to the public URL. Bodies are JSON. `@vestibule/shared` exports their types, documented, and `endpoints`, this list.',
    httpInterface(), list([
      '- A `POST`, `PUT`, `PATCH` or `DELETE` needs an allowed `Origin`, or no `Origin` and `Sec-Fetch-Site: same-origin`.',
      '- A body is one JSON object in UTF-8 without compression. An unknown member is `invalid-request`.',
      '- `Idempotency-Key` has 8 to 128 visible ASCII characters. `POST /posts` needs it. The same key and body get the stored response, with `Idempotency-Replayed: true`.',
      '- `too-many-requests`, `service-unavailable` and `post-in-progress` can have `Retry-After`, in seconds.',
    ]),
  ),
  section(
    'Problems', 'The body of a failure (RFC 9457). `type` is `urn:vestibule:` and a name of this list, `detail` a text for the reader, `instance` ends '
    + 'in the request id of the log. A retryable request may be repeated as it is. `not-found` is 410 for a post that is gone. Events of the elements have a further one, `network`.', problems(),
  ),
  section('Elements', 'The README of `@vestibule/widget` lists parts, states and custom properties.', elements()),
  section('Metrics', '`GET /metrics` on `VESTIBULE_ADMIN_PORT` has these and those of prom-client, in the Prometheus text format.', metrics()),
  '',
].join('\n\n').trimEnd();

// The image of the Dockerfile is built without the documentation.
mkdirSync(new URL('docs', root), { recursive: true });
for (const file of ['docs/reference.md', 'packages/bff/reference.md']) writeFileSync(new URL(file, root), `${reference}\n`);
