/** A desktop without a screen, on which Orca reads a browser out. What it speaks is in its log. */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { access, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until } from '../lib/until.ts';

export type BrowserName = 'firefox' | 'chromium';

export interface Desktop extends AsyncDisposable {
  readonly log: string;
  /** Everything that was spoken, in order. */
  readonly spoken: () => Promise<readonly string[]>;
  /** Presses keys by the names of X, one after the other, and waits after each until nothing is spoken. */
  readonly press: (...keys: readonly string[]) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** Waits for a window with this in its title, and gives it the focus: a window manager on a busy machine may not. */
  readonly activate: (title: string) => Promise<void>;
  /** Resolves once nothing was spoken for a while. */
  readonly quiet: (ms?: number) => Promise<void>;
  /** For a page that counts seconds, which keeps Orca at work: it is quiet while nothing is spoken. */
  readonly expectClock: () => void;
  readonly open: (browser: BrowserName, url: string) => Promise<AsyncDisposable>;
}

/** No echo of keys; a page that loads is not read to its end. */
const ORCA = { profile: ['Default', 'default'], enableKeyEcho: false, enableEchoByWord: false, sayAllOnLoad: false };

/** Orca writes its log in blocks otherwise. */
const UNBUFFERED = 'import orca.debug\norca.debug.debugFile.reconfigure(line_buffering=True)\n';

/** A voice that is silent. */
const SPEECH = {
  'speechd.conf': 'AudioOutputMethod "libao"\nAddModule "silent" "sd_generic" "silent.conf"\nDefaultModule silent\n',
  'modules/silent.conf': 'GenericExecuteSynth "true"\nAddVoice "en" "MALE1" "en"\n',
};

/** No first-run pages, no requests of the browser's own. */
const FIREFOX = `
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("datareporting.policy.firstRunURL", "");
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("app.normandy.enabled", false);
user_pref("accessibility.force_disabled", -1);
`;

export async function startDesktop(): Promise<Desktop> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryDirectory({ inMemory: false }));
  const [home, runtime, log] = ['home', 'run', 'orca.log'].map((name) => join(path, name)) as [string, string, string];
  await mkdir(runtime, { mode: 0o700 });
  await mkdir(join(home, '.local/share/orca'), { recursive: true });
  await writeFile(join(home, '.local/share/orca/user-settings.conf'), JSON.stringify({
    general: ORCA, profiles: { default: ORCA }, pronunciations: {}, keybindings: {},
  }));
  await writeFile(join(home, '.local/share/orca/orca-customizations.py'), UNBUFFERED);
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: runtime, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', GSETTINGS_BACKEND: 'memory',
    GNOME_ACCESSIBILITY: '1', ACCESSIBILITY_ENABLED: '1', NO_AT_BRIDGE: '0',
  };
  let hasClock = false;
  const output = openSync(join(path, 'output.log'), 'a');

  /** In a group of its own, which ends with the desktop: these programs start others. */
  const run = (program: string, args: readonly string[], stdio: 'pipe' | number = output): ChildProcess => (
    spawn(program, args, { env, detached: true, stdio: ['ignore', stdio, output, 'pipe'] })
  );

  function start(...args: Parameters<typeof run>): ChildProcess {
    const child = run(...args);
    stack.defer(() => endGroup(child));
    return child;
  }

  const x = start('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp']);
  env['DISPLAY'] = `:${(await firstLine(x.stdio[3] as NodeJS.ReadableStream))}`;
  const bus = start('dbus-daemon', ['--session', '--nofork', '--print-address'], 'pipe');
  env['DBUS_SESSION_BUS_ADDRESS'] = await firstLine(bus.stdout!);
  start('openbox', []);
  start('/usr/libexec/at-spi-bus-launcher', ['--launch-immediately']);
  for (const property of ['IsEnabled', 'ScreenReaderEnabled']) {
    await until(property, () => spawnSync('dbus-send', [
      '--session', '--print-reply', '--dest=org.a11y.Bus', '/org/a11y/bus', 'org.freedesktop.DBus.Properties.Set',
      'string:org.a11y.Status', `string:${property}`, 'variant:boolean:true',
    ], { env }).status === 0);
  }
  await mkdir(join(path, 'speech/modules'), { recursive: true });
  for (const [name, text] of Object.entries(SPEECH)) await writeFile(join(path, 'speech', name), text);
  start('speech-dispatcher', ['-C', join(path, 'speech'), '--run-single', '--timeout', '0']);
  await until('speech-dispatcher', () => access(join(runtime, 'speech-dispatcher/speechd.sock')).then(() => true));
  start('orca', ['--replace', '--debug', `--debug-file=${log}`]);
  await until('Orca', async () => (await spoken()).length > 0);
  await quiet();
  const disposables = stack.move();
  return {
    log, spoken, press, type, activate, quiet, expectClock, open, [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };

  async function spoken(): Promise<readonly string[]> {
    const text = await readFile(log, 'utf8').catch(() => '');
    return [...text.matchAll(/^\S+ - SPEECH OUTPUT: '(.*?)'\s*(?:voice=\w+)?\s*(?:\[?\{.*?\}\]?)?\s*$/gms)].map(([, words]) => words!.replace(/\s+/g, ' ').trim()).filter(Boolean);
  }

  function size(): Promise<number> {
    return stat(log).then((file) => file.size, () => 0);
  }

  function expectClock(): void {
    hasClock = true;
  }

  /** Not while Orca works without a word, unless a clock of the page keeps it at work. */
  async function quiet(ms = 1_500): Promise<void> {
    const progress = async (): Promise<number> => hasClock ? (await spoken()).length : size();
    const giveUpAt = Date.now() + 15_000;
    let before = -1;
    for (let now = await progress(); now !== before && Date.now() < giveUpAt; now = await progress()) {
      before = now;
      await setTimeout(ms);
    }
  }

  function xdotool(...args: readonly string[]): void {
    const { status, stderr } = spawnSync('xdotool', args, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`xdotool ${args.join(' ')}: ${stderr}`);
  }

  async function press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const before = await size();
      xdotool('key', '--clearmodifiers', key);
      for (let tries = 0; tries < 40 && await size() === before; tries += 1) await setTimeout(100);
      await quiet(900);
    }
  }

  async function type(text: string): Promise<void> {
    xdotool('type', '--delay', '40', text);
    await quiet(900);
  }

  async function activate(title: string): Promise<void> {
    await until(`a window “${title}”`, () => spawnSync('xdotool', ['search', '--name', title, 'windowactivate', '--sync'], { env }).status === 0);
    await quiet();
  }

  async function open(browser: BrowserName, url: string): Promise<AsyncDisposable> {
    const profile = join(path, `${browser}-${Date.now()}`);
    await mkdir(profile);
    await writeFile(join(profile, 'user.js'), FIREFOX);
    const before = (await spoken()).length;
    const child = browser === 'firefox'
      ? run('firefox-esr', ['--profile', profile, '--no-remote', url])
      : run('chromium', [
          '--no-sandbox', '--no-first-run', '--no-default-browser-check', '--disable-sync', '--disable-component-update', '--disable-dev-shm-usage',
          '--force-renderer-accessibility', '--password-store=basic', `--user-data-dir=${profile}`, url,
        ]);
    await until(`${browser} speaks`, async () => (await spoken()).length > before);
    await quiet(3_000);
    return { [Symbol.asyncDispose]: () => endGroup(child) };
  }
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  const [data] = await once(stream, 'data') as [Buffer];
  return data.toString().split('\n')[0]!.trim();
}

async function endGroup(child: ChildProcess): Promise<void> {
  const isAlive = child.exitCode === null && child.signalCode === null;
  const ended = isAlive && once(child, 'exit');
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // The group has ended.
  }
  await ended;
}
