/** The compose file: what it names is there, what it sets is a configuration, and its Redis runs. No engine reads it here. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { openStore } from '../../packages/bff/src/store/open-store.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startRedis } from '../store/_redis-server.ts';
import { configOf, home, image, objectionsTo, secrets } from './_deployment.ts';
import { readYaml } from './_yaml.ts';

const run = promisify(execFile);

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly networks?: readonly string[];
  readonly network_mode?: string;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly [kind: string, command: string] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** What an operator writes into `.env`. */
const written: Readonly<Record<string, string>> = {
  VESTIBULE_SERVICE_URL: 'https://comments.example.net', VESTIBULE_PUBLIC_KEY: 'the-public-key', VESTIBULE_FORUMS: 'news',
  VESTIBULE_PUBLIC_URL: 'https://www.example.com/vestibule',
};

/** As compose fills in `${NAME:?}` and `$$`. */
function filledIn(text: string): string {
  return text.replaceAll(/\$\$|\$\{(\w+):\?\}/g, (_, name: string | undefined) => (
    name === undefined ? '$' : written[name] ?? assert.fail(`${name} is required`)
  ));
}

describe('the compose file', () => {
  let compose: Compose;
  let bffs: readonly Service[];
  before(async () => {
    [compose] = await readYaml(new URL('deploy/compose.yaml', home)) as [Compose];
    bffs = Object.entries(compose.services).filter(([name]) => name.startsWith('bff-')).map(([, service]) => service);
  });

  const services = () => Object.entries(compose.services);
  const service = (name: string) => compose.services[name] ?? assert.fail(name);

  it('names only networks, volumes, secrets and services that it has', () => {
    for (const [name, one] of services()) {
      const { networks = [], volumes = [], secrets: used = [], depends_on: needed = {}, network_mode: shared } = one;
      for (const network of networks) assert.ok(network in compose.networks, `${name}: ${network}`);
      for (const secret of used) assert.ok(secret in compose.secrets, `${name}: ${secret}`);
      for (const [other, { condition }] of Object.entries(needed)) {
        assert.ok(networks.some((network) => service(other).networks?.includes(network)), `${name} and ${other} share no network`);
        assert.equal(condition, 'service_healthy');
      }
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        assert.ok(source.startsWith('./') || source in compose.volumes, `${name}: ${volume}`);
      }
      if (shared !== undefined) assert.ok(shared.replace('service:', '') in compose.services, `${name}: ${shared}`);
    }
    assert.deepEqual(Object.entries(compose.secrets).map(([name, { file }]) => [name, file]), Object.keys(secrets).map((name) => [name, `./secrets/${name}`]));
  });

  it('waits for health where there is a health check', async () => {
    const { isHealthChecked } = await image();
    for (const name of services().flatMap(([, { depends_on: needed = {} }]) => Object.keys(needed))) {
      assert.ok(service(name).healthcheck !== undefined || (service(name).build !== undefined && isHealthChecked), name);
    }
  });

  it('mounts and builds from files that are in the repository', async () => {
    for (const { build } of bffs) await access(new URL(`${build?.context}/${build?.dockerfile}`, new URL('deploy/', home)));
    assert.ok(service('nginx').volumes?.includes('./nginx.conf:/etc/nginx/nginx.conf:ro'));
    const files = services().flatMap(([, { volumes = [] }]) => volumes).filter((volume) => volume.startsWith('./')).map((volume) => volume.split(':')[0] ?? '');
    for (const name of new Set(files)) if (name !== './tls') await access(new URL(`deploy/${name}`, home));
    for (const { environment, volumes } of bffs) {
      assert.ok(volumes?.includes(`./vestibule.config.mjs:${environment?.['VESTIBULE_CONFIG']}:ro`));
      assert.ok(volumes?.includes(`widget:${environment?.['VESTIBULE_WIDGET_ARCHIVE']}`));
    }
  });

  it('has the BFFs that nginx asks, at their port', async () => {
    const { port } = await image();
    const config = await readFile(new URL('deploy/nginx.conf', home), 'utf8');
    const asked = [...config.matchAll(/^ +server ([\w-]+):(\d+)/gm)].map(([, name, at]) => [name, Number(at)]);
    assert.deepEqual(asked, services().filter(([, one]) => bffs.includes(one)).map(([name]) => [name, port]));
    assert.equal(bffs.length, 2);
  });

  it('keeps a stopping BFF accepting for longer than nginx keeps an idle connection to it', async () => {
    const conf = await readFile(new URL('deploy/nginx.conf', home), 'utf8');
    const seconds = Number(/upstream vestibule \{[^}]* keepalive_timeout (\d+)s;/.exec(conf)?.[1]);
    const delays = bffs.map(({ environment }) => Number(environment?.['VESTIBULE_DRAIN_DELAY_MS']) / 1_000);
    assert.ok(Math.min(...delays) > seconds + 1, `${delays.join()} s, ${seconds} s`);
  });

  it('starts BFFs with complete settings that `vestibule check` accepts, and that share store, keys and secrets', async () => {
    const { environment } = await image();
    const configs = await Promise.all(bffs.map((bff) => {
      const own = Object.entries(bff.environment ?? {}).map(([name, text]) => [name, filledIn(text)] as const);
      return configOf({ ...environment, ...Object.fromEntries(own) }, (path) => bff.secrets?.find((name) => path === `/run/secrets/${name}`));
    }));
    const [config, other] = configs;
    assert.deepEqual(config, other);
    assert.deepEqual(config && objectionsTo(config), []);
    assert.deepEqual([config?.store, config?.secretKey], [secrets['redis-url'], secrets['secret-key']]);
    const graceMs = Number(/^(\d+)s$/.exec(bffs[0]?.stop_grace_period ?? '')?.[1]) * 1_000;
    assert.ok(config && graceMs > config.drainDelayMs + config.drainTimeoutMs);
  });

  it('drops all rights except Redis\'s, and isolates Redis\'s network', () => {
    for (const { read_only: isReadOnly, cap_drop: dropped, security_opt: options } of services().filter(([name]) => name !== 'redis').map(([, one]) => one)) {
      assert.deepEqual([isReadOnly, dropped, options], [true, ['ALL'], ['no-new-privileges:true']]);
    }
    assert.deepEqual(service('redis').networks, ['inner']);
    assert.equal(compose.networks['inner']?.internal, true);
    assert.deepEqual(services().filter(([, { ports }]) => ports !== undefined).map(([name]) => name), ['nginx']);
  });

  it('starts a Redis that is healthy and causes no warning', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(join(directory.path, 'redis-password'), secrets['redis-password'] ?? '');
    const here = (text: string) => filledIn(text).replaceAll('/run/secrets/', `${directory.path}/`);
    const [shell, flag, script = ''] = service('redis').command ?? [];
    const said = /^exec redis-server (.+)$/s.exec(here(script))?.[1] ?? assert.fail(script);
    const { stdout } = await run(shell ?? '', [flag ?? '', `printf '%s\\n' ${said}`]);
    assert.match(said, /--appendfsync always --maxmemory-policy noeviction /);
    await using redis = await startRedis({ appendOnly: false, settings: stdout.trim().split('\n') });

    const [kind, health] = service('redis').healthcheck?.test ?? assert.fail();
    assert.equal(kind, 'CMD-SHELL');
    const isHealthy = (port: number) => run('sh', ['-c', here(health).replace('redis-cli', `redis-cli -p ${port}`)]);
    await isHealthy(redis.port);
    await assert.rejects(isHealthy(1));

    const warnings: string[] = [];
    const address = (secrets['redis-url'] ?? '').replace('redis:6379', redis.host);
    await using store = await openStore(address, { info: () => undefined, warn: (message) => { warnings.push(message); } });
    await store.ping();
    assert.deepEqual(warnings, []);
  });
});
