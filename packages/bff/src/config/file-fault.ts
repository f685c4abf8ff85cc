/** Why a configuration file cannot be read or run, in words that repeat nothing of what stands in it: a secret may. */

/** What Node.js says of a package or a file that a module imports. */
const NOT_FOUND = /^Cannot find (?:package|module) '([@\w./-]{1,200})'/;

/** What V8 says of JSON, without the text that it quotes. */
const JSON_POSITION = /\(line (\d+) column (\d+)\)$/;

/** @param url of the file @returns a sentence without its subject */
export function fileFault(error: unknown, url: string): string {
  if (!(error instanceof Error)) return 'the file cannot be read or run';
  switch (codeOf(error)) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
      return 'this user may not read the file';
    case 'ERR_UNKNOWN_FILE_EXTENSION':
      return 'the file must end in .js, .mjs, .ts or .json';
    case 'ERR_MODULE_NOT_FOUND':
      return importFault(error, url);
    default:
      if (url.endsWith('.json')) return jsonFault(error);
      if (error instanceof SyntaxError) return 'the file, or one that it imports, has a syntax error; node --check shows where';
      return `the file cannot be read or run${thrownAt(error, url)}`;
  }
}

function importFault(error: Error, url: string): string {
  if ('url' in error && error.url === url) return 'there is no such file';
  const [, name] = NOT_FOUND.exec(error.message) ?? [];
  return `the file imports ${name === undefined ? 'something that' : `${name}, which`} cannot be found`;
}

function jsonFault({ message }: Error): string {
  const [, line, column] = JSON_POSITION.exec(message) ?? [];
  return `the file is no JSON${line === undefined ? '' : `, see line ${line}, column ${column}`}`;
}

/** Where a module threw, by the first line of the stack that names it. */
function thrownAt({ name, stack = '' }: Error, url: string): string {
  const frame = stack.split('\n').find((line) => line.startsWith('    at ') && line.includes(`${url}:`));
  const [, line] = /:(\d+):\d+\)?$/.exec(frame ?? '') ?? [];
  return line === undefined ? '' : `: line ${line} threw ${/^\w*Error$/.test(name) ? name : 'an error'}`;
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined;
}
