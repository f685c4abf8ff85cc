/** What the examples of deployments set must be settings. */

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { settingOf } from '../../packages/bff/src/config/env.ts';

const home = new URL('../../packages/bff/', import.meta.url);

describe('an example of a deployment', async () => {
  const files = ['Dockerfile', ...(await readdir(new URL('deploy/', home))).map((name) => `deploy/${name}`)];
  for (const file of files) {
    it(`names only settings that there are: ${file}`, async () => {
      const names = new Set((await readFile(new URL(file, home), 'utf8')).match(/\bVESTIBULE_[A-Z_]+/g));
      const unknown = [...names].filter((name) => name !== 'VESTIBULE_CONFIG' && !settingOf(name.replace(/_FILE$/, '')));
      assert.deepEqual(unknown, []);
    });
  }

  it('sets the configuration module and the archive of the widget', async () => {
    for (const file of ['deploy/compose.yaml', 'deploy/kubernetes.yaml', 'deploy/vestibule.service', 'deploy/vestibule-command']) {
      const text = await readFile(new URL(file, home), 'utf8');
      for (const name of ['VESTIBULE_CONFIG', 'VESTIBULE_WIDGET_ARCHIVE', 'VESTIBULE_ADMIN_PORT']) assert.ok(text.includes(name), `${file}: ${name}`);
    }
  });

  it('gives secrets as files', async () => {
    for (const file of files) {
      assert.doesNotMatch(await readFile(new URL(file, home), 'utf8'), /VESTIBULE_(?:SECRET_KEY|COOKIE_SECRETS)\b(?!_FILE)/, file);
    }
  });
});
