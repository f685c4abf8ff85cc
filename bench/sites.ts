/** Start and memory of one process with 1, 10 and 100 sites on one SQLite file, each after a page of every site. */

import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { temporaryDirectory } from '../test/lib/temporary-directory.ts';
import { startMeasured } from './measured-process.ts';
import { rowOf, type BenchOptions, type Row } from './rows.ts';

const COMMAND = join(import.meta.dirname, '../packages/bff/bin/vestibule.js');

const REQUESTED = ['/session', '/sync/form', '/posts?forum=news&page=', '/widget.js'];

export async function benchSites({ quick }: BenchOptions): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const count of [1, 10, 100]) {
    const [starts, memory]: [number[], number[]] = [[], []];
    for (let round = 0; round < (quick ? 1 : 5); round += 1) {
      await using directory = await temporaryDirectory();
      const hosts = Array.from({ length: count }, (_, i) => `www.paper-${i}.example`);
      const config = join(directory.path, 'config.mjs');
      await writeFile(config, `export default {
        serviceUrl: 'https://comments.example', publicKey: 'key', secretKey: 'secret', cookieSecrets: ['${'0123456789abcdef'.repeat(2)}'], forums: ['news'],
        port: 0, logLevel: 'info', posts: { list: () => ({ posts: [] }), count: ({ pages }) => pages.map(() => 0) },
        sites: ${JSON.stringify(hosts)}.map((host) => ({ publicUrl: 'https://' + host + '/vestibule' })),
      };`);
      const startedAt = performance.now();
      await using bff = await startMeasured([COMMAND], { VESTIBULE_CONFIG: config });
      starts.push(performance.now() - startedAt);
      for (const host of hosts) {
        for (const path of REQUESTED) {
          const page = path.endsWith('=') ? encodeURIComponent(`https://${host}/article`) : '';
          await get(`${bff.origin}/vestibule${path}${page}`, host);
        }
      }
      memory.push(bff.privateMiB());
    }
    rows.push(rowOf(`${count} sites: until it listens`, 'ms', starts), rowOf(`${count} sites: memory`, 'MiB', memory));
  }
  return rows;
}

async function get(url: string, host: string): Promise<void> {
  await new Promise((resolve, reject) => {
    request(url, { headers: { Host: host } }, (res) => {
      if (res.statusCode !== 200) reject(new Error(`${url}: ${res.statusCode}`));
      res.resume().on('end', resolve);
    }).on('error', reject).end();
  });
}
