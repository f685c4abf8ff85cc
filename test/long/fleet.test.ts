/** Three BFFs behind nginx while processes and stores are killed: no comment and no session is lost, no comment is doubled. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL, startProcess, type Running } from '../lib/bff-process.ts';
import { endProcess } from '../lib/end-process.ts';
import { freePort } from '../lib/free-port.ts';
import { ReaderClient } from '../lib/reader.ts';
import { startRedis, startRedisCluster, type RedisServer } from '../lib/redis-server.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until } from '../lib/until.ts';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';
import { nothingLost, people, Posters } from './_posters.ts';

const MEMBERS = 3;

/** Balances as `deploy/nginx.conf` does, without TLS and without limits per address. */
function nginxConfig(directory: string, port: number, members: readonly number[]): string {
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`);
  return `
    worker_processes 1; pid ${directory}/nginx.pid; error_log ${directory}/error.log crit;
    events { worker_connections 1024; }
    http {
      access_log off; ${temporaryPaths.join(' ')}
      upstream vestibule { ${members.map((member) => `server 127.0.0.1:${member} max_fails=0;`).join(' ')} keepalive 32; }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://vestibule; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
          proxy_connect_timeout 1s; proxy_next_upstream error timeout; proxy_next_upstream_tries 2;
        }
      }
    }`;
}

async function startNginx(members: readonly number[]): Promise<AsyncDisposable & { readonly url: string }> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryDirectory());
  const port = await freePort();
  const file = join(path, 'nginx.conf');
  await writeFile(file, nginxConfig(path, port, members));
  const child = spawn('/usr/sbin/nginx', ['-p', path, '-c', file, '-e', join(path, 'error.log'), '-g', 'daemon off;'], { stdio: 'inherit' });
  stack.defer(() => endProcess(child));
  const url = `http://127.0.0.1:${port}`;
  await until('nginx listens', async () => (await fetch(url)).status > 0);
  const disposal = stack.move();
  return { url, [Symbol.asyncDispose]: () => disposal.disposeAsync() };
}

interface Fleet extends AsyncDisposable {
  readonly service: EmulatedService;
  readonly posters: Posters;
  killMember(i: number): Promise<void>;
  startMember(i: number): Promise<void>;
}

async function startFleet(store: string): Promise<Fleet> {
  await using stack = new AsyncDisposableStack();
  const redirectUri = `${PUBLIC_URL}/sync/return`;
  const service = stack.use(await startEmulatedService({ redirectUris: [redirectUri], readers: people }));
  const ports: number[] = [];
  const members: Running[] = [];
  stack.defer(async () => { await Promise.all(members.map((member) => member[Symbol.asyncDispose]())); });
  const startMember = async (i: number) => {
    members[i] = await startProcess(bffEnvironment(service, PUBLIC_URL, {
      VESTIBULE_STORE: store, VESTIBULE_RATE_LIMITS: 'off', PORT: String(ports[i]), VESTIBULE_SERVICE_TIMEOUT_MS: '2000',
    }));
  };
  for (let i = 0; i < MEMBERS; i += 1) {
    ports.push(await freePort());
    await startMember(i);
  }
  const { url } = stack.use(await startNginx(ports));
  const posters = stack.use(await Posters.start(() => new ReaderClient({
    server: url, path: new URL(PUBLIC_URL).pathname, origin: new URL(PUBLIC_URL).origin, redirectUri, service,
  })));
  const disposal = stack.move();
  return {
    service, posters, startMember,
    killMember: async (i) => { await members[i]?.process.kill('SIGKILL'); },
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  };
}

describe('three BFFs behind nginx', () => {
  it('lose nothing when one after the other is killed and restarted', async (t) => {
    await using redis = await startRedis();
    await using fleet = await startFleet(`redis://${redis.host}`);
    for (let round = 0; round < 2 * MEMBERS; round += 1) {
      await fleet.posters.served();
      await fleet.killMember(round % MEMBERS);
      await fleet.posters.served();
      await fleet.startMember(round % MEMBERS);
    }
    await expectNothingLost(fleet, t);
  });

  it('lose nothing when their Redis is killed and restarted', async (t) => {
    await using redis = await startRedis();
    await using fleet = await startFleet(`redis://${redis.host}`);
    for (let round = 0; round < 5; round += 1) {
      await fleet.posters.served();
      await redis.kill();
      await pause(1_000);
      await redis.start();
    }
    await fleet.posters.served();
    await expectNothingLost(fleet, t);
  });

  it('lose nothing when masters of their Redis cluster are killed', async (t) => {
    await using cluster = await startRedisCluster();
    const { servers } = cluster;
    await until('every master has its replica', () => everyMasterHasReplica(servers));
    await using fleet = await startFleet(`redis+cluster://${servers.map(({ host }) => host).join(',')}`);
    for (const victim of servers.slice(0, 2)) {
      await fleet.posters.served();
      await victim.kill();
      await until('a replica is promoted', async () => (
        (await servers.at(-1)?.command('CLUSTER', 'INFO'))?.includes('cluster_state:ok') && await isFailedOver(servers, victim)
      ));
      await fleet.posters.served();
      await victim.start();
      await until('every master has its replica', () => everyMasterHasReplica(servers));
    }
    await expectNothingLost(fleet, t);
  });
});

async function everyMasterHasReplica(servers: readonly RedisServer[]): Promise<boolean> {
  const roles = await Promise.all(servers.map((server) => server.command('INFO', 'replication')));
  return roles.every((info) => /master_link_status:up|state=online,offset=[1-9]/.test(info));
}

/** Whether another server has the slots of `victim`. */
async function isFailedOver(servers: readonly RedisServer[], victim: RedisServer): Promise<boolean> {
  const nodes = (await servers.at(-1)?.command('CLUSTER', 'NODES') ?? '').split('\n');
  return nodes.some((node) => node.includes(`:${victim.port}@`) && node.includes('fail'))
    && nodes.filter((node) => node.includes('master') && !node.includes('fail')).length === servers.length / 2;
}

async function expectNothingLost({ posters, service }: Fleet, t: { diagnostic(text: string): void }): Promise<void> {
  assert.deepEqual(await posters.report(service), nothingLost);
  t.diagnostic(`${posters.acknowledged.length} comments acknowledged, ${posters.unknown.length} unknown`);
  assert.ok(posters.acknowledged.length > posters.unknown.length);
}
