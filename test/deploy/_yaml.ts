/** YAML files of the examples. The parser is the one that knip reads its configuration with: the version that is installed,
 *  whatever `npm` hoists. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

interface YamlDocument {
  readonly errors: readonly Error[];
  readonly warnings: readonly Error[];
  toJS(): unknown;
}

interface Yaml {
  parseAllDocuments(text: string, options: { merge: boolean }): readonly YamlDocument[];
}

const { parseAllDocuments } = createRequire(fileURLToPath(import.meta.resolve('knip')))('yaml') as Yaml;

/** The documents of a file; each must be without a fault. */
export async function readYaml(file: URL): Promise<readonly unknown[]> {
  return parseAllDocuments(await readFile(file, 'utf8'), { merge: true }).map((document) => {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) throw fault;
    return document.toJS();
  });
}
