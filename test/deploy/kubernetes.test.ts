/** The Kubernetes example: its parts belong together, and what they set is a configuration. No cluster reads it here. */

import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { endpoints } from '@vestibule/shared';
import type { Config } from '../../packages/bff/src/config/config.ts';
import { configOf, home, image, objectionsTo, secrets } from './_deployment.ts';
import { readYaml } from './_yaml.ts';

type Labels = Readonly<Record<string, string>>;

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly readOnly?: boolean;
}

interface Container {
  readonly envFrom: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly securityContext: unknown;
  readonly volumeMounts: readonly VolumeMount[];
}

interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly topologySpreadConstraints: readonly { readonly labelSelector: { readonly matchLabels: Labels } }[];
  readonly containers: readonly [Container, Pick<Container, 'securityContext' | 'volumeMounts'>];
  readonly volumes: readonly {
    readonly name: string;
    readonly secret?: { readonly secretName: string };
    readonly configMap?: { readonly name: string };
    readonly persistentVolumeClaim?: { readonly claimName: string };
  }[];
}

interface Route {
  readonly path: string;
  readonly pathType: string;
  readonly backend: { readonly service: { readonly name: string; readonly port: { readonly name: string } } };
}

interface Parts {
  readonly ConfigMap: { readonly metadata: { readonly name: string }; readonly data: Labels };
  readonly PersistentVolumeClaim: { readonly metadata: { readonly name: string } };
  readonly Deployment: {
    readonly spec: {
      readonly replicas: number;
      readonly selector: { readonly matchLabels: Labels };
      readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number } };
      readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
    };
  };
  readonly Service: {
    readonly metadata: { readonly name: string };
    readonly spec: {
      readonly selector: Labels;
      readonly ports: readonly [{ readonly name: string; readonly targetPort: string }];
    };
  };
  readonly PodDisruptionBudget: {
    readonly spec: { readonly minAvailable: number; readonly selector: { readonly matchLabels: Labels } };
  };
  readonly Ingress: {
    readonly spec: {
      readonly tls: readonly [{ readonly hosts: readonly string[] }];
      readonly rules: readonly [{ readonly host: string; readonly http: { readonly paths: readonly [Route] } }];
    };
  };
}

const file = new URL('deploy/kubernetes.yaml', home);

describe('the Kubernetes example', () => {
  let parts: Parts;
  let pod: PodSpec;
  let container: Container;
  let config: Config;
  before(async () => {
    const documents = await readYaml(file) as readonly { readonly kind: string }[];
    parts = Object.fromEntries(documents.map((document) => [document.kind, document])) as unknown as Parts;
    assert.deepEqual(Object.keys(parts), ['ConfigMap', 'PersistentVolumeClaim', 'Deployment', 'Service', 'PodDisruptionBudget', 'Ingress']);
    pod = parts.Deployment.spec.template.spec;
    [container] = pod.containers;
    const [mount] = container.volumeMounts;
    const named = [...(await readFile(file, 'utf8')).matchAll(/--from-file=([\w-]+)/g)].map(([, name]) => name);
    const { environment } = await image();
    config = await configOf({ ...environment, ...parts.ConfigMap.data, VESTIBULE_PUBLIC_KEY: 'the-public-key' }, (path) => (
      named.find((name) => path === `${mount?.mountPath}/${name}`)
    ));
  });

  it('sets a complete configuration that `vestibule check` accepts', () => {
    assert.deepEqual(objectionsTo(config), []);
    assert.deepEqual([config.store, config.secretKey], [secrets['redis-url'], secrets['secret-key']]);
    assert.deepEqual(container.envFrom, [{ configMapRef: { name: parts.ConfigMap.metadata.name } }]);
    assert.equal(pod.enableServiceLinks, false);
  });

  it('mounts the secret that it says how to make, for reading', async () => {
    const [, made] = /kubectl create secret generic (\S+)/.exec(await readFile(file, 'utf8')) ?? [];
    const [mount] = container.volumeMounts;
    const secretVolumes = pod.volumes.filter(({ secret }) => secret !== undefined);
    assert.deepEqual(secretVolumes.map(({ name, secret }) => [name, secret?.secretName]), [[mount?.name, made]]);
    assert.equal(mount?.readOnly, true);
  });

  it('mounts the files that lie beside it where the settings name them, and a volume that all pods share for the widget', async () => {
    const [, made, files = ''] = /kubectl create configmap (\S+) (.+)/.exec(await readFile(file, 'utf8')) ?? [];
    const names = [...files.matchAll(/--from-file=(\S+)/g)].map(([, name = '']) => name);
    for (const name of names) await access(new URL(`deploy/${name}`, home));
    const source = pod.volumes.find(({ configMap }) => configMap?.name === made)?.name;
    const mounts = pod.containers.flatMap(({ volumeMounts }) => volumeMounts);
    const mounted = mounts.filter(({ name }) => name === source);
    assert.deepEqual(mounted.map(({ subPath }) => subPath), names);
    assert.equal(mounted[0]?.mountPath, parts.ConfigMap.data['VESTIBULE_CONFIG']);
    const archive = mounts.find(({ mountPath }) => mountPath === config.widgetArchive);
    const claim = pod.volumes.find(({ name }) => name === archive?.name)?.persistentVolumeClaim;
    assert.equal(claim?.claimName, parts.PersistentVolumeClaim.metadata.name);
    for (const { name } of mounts) assert.ok(pod.volumes.some((volume) => volume.name === name), name);
  });

  it('uses /healthz for liveness and /readyz for readiness', async () => {
    const { port } = await image();
    assert.deepEqual(container.ports.map(({ containerPort }) => containerPort), [port]);
    assert.equal(config.port, port);
    assert.equal(config.host, '0.0.0.0');
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe].map(({ httpGet }) => httpGet);
    assert.deepEqual(probes.map(({ path }) => path), [endpoints.health.path, endpoints.health.path, endpoints.readiness.path]);
    for (const probe of probes) assert.equal(probe.port, container.ports[0]?.name);
  });

  it('lets a process drain before it is killed, and a rollout without a gap', () => {
    assert.ok(pod.terminationGracePeriodSeconds * 1_000 > config.drainDelayMs + config.drainTimeoutMs);
    assert.ok(config.drainDelayMs > 0);
    const { replicas, strategy } = parts.Deployment.spec;
    assert.ok(replicas > parts.PodDisruptionBudget.spec.minAvailable);
    assert.equal(strategy.rollingUpdate.maxUnavailable, 0);
  });

  it('has every selector find the pods, and the way from the ingress to them', () => {
    const { labels } = parts.Deployment.spec.template.metadata;
    for (const selector of [
      parts.Deployment.spec.selector.matchLabels,
      parts.Service.spec.selector,
      parts.PodDisruptionBudget.spec.selector.matchLabels,
      pod.topologySpreadConstraints[0]?.labelSelector.matchLabels,
    ]) assert.deepEqual(selector, labels);
    const [{ host, http: { paths: [{ path, pathType, backend }] } }] = parts.Ingress.spec.rules;
    assert.equal(`https://${host}${path}`, config.publicUrl);
    assert.equal(pathType, 'Prefix');
    assert.deepEqual(parts.Ingress.spec.tls[0].hosts, [host]);
    const [port] = parts.Service.spec.ports;
    assert.deepEqual(backend.service, { name: parts.Service.metadata.name, port: { name: port.name } });
    assert.equal(port.targetPort, container.ports[0]?.name);
  });

  it('has no capabilities and runs as the image\'s user', async () => {
    const { user } = await image();
    const { runAsNonRoot, runAsUser, runAsGroup } = pod.securityContext;
    assert.deepEqual([runAsNonRoot, `${String(runAsUser)}:${String(runAsGroup)}`], [true, user]);
    for (const { securityContext } of pod.containers) {
      assert.deepEqual(securityContext, { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
    }
    assert.equal(pod.automountServiceAccountToken, false);
  });
});
