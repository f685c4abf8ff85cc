import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { freePort } from './free-port.ts';

const module = new URL('free-port.ts', import.meta.url).href;

/** Ports that another process gets. */
function portsOfAnotherProcess(count: number): number[] {
  const script = `const { freePort } = await import('${module}');
    console.log(JSON.stringify(await Promise.all(Array.from({ length: ${count} }, freePort))));`;
  return JSON.parse(spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout) as number[];
}

describe('freePort', () => {
  it('gives each port once, also to different processes', async () => {
    const count = 300;
    const own = await Promise.all(Array.from({ length: count }, freePort));
    const ports = new Set([...own, ...portsOfAnotherProcess(count)]);
    assert.equal(ports.size, 2 * count);
  });
});
