/** YAML files of the examples. */

import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';

/** The documents of a file; each must be without a fault. */
export async function readYaml(file: URL): Promise<readonly unknown[]> {
  return parseAllDocuments(await readFile(file, 'utf8'), { merge: true }).map((document) => {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) throw fault;
    return document.toJS();
  });
}
