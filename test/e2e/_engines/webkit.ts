/** WebKit, as WebKitGTK's MiniBrowser: by WebDriver, on a screen of its own. A session a reader, since a session is a profile. */

import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Builder, Origin, type WebDriver } from 'selenium-webdriver';
import { endProcess } from '../../lib/end-process.ts';
import { freePort } from '../../lib/free-port.ts';
import { startDisplay } from './display.ts';
import type { Engine, EngineReader, EngineWindow } from './engine.ts';

const driverPath = process.env['WEBKIT_DRIVER_PATH'] ?? '/usr/bin/WebKitWebDriver';
const browserPath = process.env['WEBKIT_BROWSER_PATH'] ?? globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')[0] ?? 'MiniBrowser';

const STARTS_WITHIN_MS = 60_000;
const LOADS_WITHIN_MS = 20_000;
const ANSWERS_WITHIN_MS = 20_000;

export const webkit: Engine = {
  name: 'WebKit',
  userAgent: /AppleWebKit\/(?!.*Chrome).* Version\/\d/,
  repeatsFailedImports: true,
  async launch() {
    const display = await startDisplay();
    return { reader: () => startReader(display.name), [Symbol.asyncDispose]: () => display[Symbol.asyncDispose]() };
  },
};

/** Has a driver of its own: one driver for sessions in a row once never answered the start of the third. */
async function startReader(display: string): Promise<EngineReader> {
  await using started = new AsyncDisposableStack();
  const port = await freePort();
  const service = spawn(driverPath, ['--host=127.0.0.1', `--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', GSETTINGS_BACKEND: 'memory', NO_AT_BRIDGE: '1', LANGUAGE: 'en' },
  });
  started.defer(() => endProcess(service));
  const address = `http://127.0.0.1:${port}`;
  await answers(`${address}/status`);
  const driver = await inTime('start of a session', STARTS_WITHIN_MS, new Builder().usingServer(address).withCapabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: browserPath, args: ['--automation'] },
  }).build());
  started.defer(() => inTime('end of the session', STARTS_WITHIN_MS, driver.quit()));
  await driver.manage().setTimeouts({ script: ANSWERS_WITHIN_MS, pageLoad: LOADS_WITHIN_MS });
  const kept = started.move();
  return {
    windows: async () => (await inTime('window handles', ANSWERS_WITHIN_MS, driver.getAllWindowHandles())).map((id) => windowOf(driver, id)),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function windowOf(driver: WebDriver, id: string): EngineWindow {
  return {
    id,
    show,
    async goTo(url) {
      await show();
      await inTime('navigation', LOADS_WITHIN_MS, driver.get(url));
    },
    async evaluate(expression) {
      await show();
      return inTime('script', ANSWERS_WITHIN_MS, driver.executeScript(`return ${expression}`));
    },
    async clickAt(x, y) {
      await show();
      const click = driver.actions({ async: true }).move({ x, y, origin: Origin.VIEWPORT, duration: 0 }).click().perform();
      await inTime('click', ANSWERS_WITHIN_MS, click);
    },
  };

  function show(): Promise<void> {
    return inTime('switch of windows', ANSWERS_WITHIN_MS, driver.switchTo().window(id));
  }
}

/** A command that the driver never answers fails by its name. */
async function inTime<T>(command: string, ms: number, answer: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = setTimeout(ms, undefined, { signal: timer.signal }).then(() => { throw new Error(`The driver did not answer: ${command}`); });
  try {
    return await Promise.race([answer, late]);
  } finally {
    timer.abort();
    for (const other of [late, answer]) other.catch(() => {});
  }
}

async function answers(url: string): Promise<void> {
  const signal = AbortSignal.timeout(STARTS_WITHIN_MS);
  while (!(await fetch(url, { signal }).then(({ ok }) => ok, () => signal.throwIfAborted()))) await setTimeout(40);
}
