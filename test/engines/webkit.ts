/** WebKit as WebKitGTK's MiniBrowser, by its driver, on a screen of Xvfb: it has no headless mode. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { endProcess } from '../lib/end-process.ts';
import { freePort } from '../lib/free-port.ts';
import { until } from '../lib/until.ts';
import type { Engine, EngineWindow } from './engine.ts';
import { WebDriverSession } from './webdriver.ts';

const BROWSER = process.env['WEBKIT_BROWSER_PATH'] ?? globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')[0];

export const webkit: Engine = {
  name: 'WebKit',
  userAgent: /AppleWebKit\/(?!.*Chrome).* Version\/\d/,
  async launch() {
    await using started = new AsyncDisposableStack();
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    started.defer(() => endProcess(screen));
    const [display] = await once(screen.stdio[3] as Readable, 'data') as [Buffer];
    const port = await freePort();
    const driver = spawn(process.env['WEBKIT_DRIVER_PATH'] ?? 'WebKitWebDriver', ['--host=127.0.0.1', `--port=${port}`], {
      stdio: 'ignore',
      env: {
        ...process.env, DISPLAY: `:${String(display).trim()}`, GDK_BACKEND: 'x11', GSETTINGS_BACKEND: 'memory', NO_AT_BRIDGE: '1', LANGUAGE: 'en',
      },
    });
    started.defer(() => endProcess(driver));
    const address = `http://127.0.0.1:${port}`;
    await until('WebKitWebDriver listens', async () => (await fetch(`${address}/status`)).ok);
    const session = started.use(await WebDriverSession.start(address, {
      browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary: BROWSER, args: ['--automation'] },
    }));
    const kept = started.move();
    return {
      windows: async () => (await session.windowHandles()).map((handle) => windowOf(session, handle)),
      [Symbol.asyncDispose]: () => kept.disposeAsync(),
    };
  },
};

/** Each command goes to the window that was switched to last. */
function windowOf(session: WebDriverSession, id: string): EngineWindow {
  const show = (): Promise<void> => session.switchTo(id);
  return {
    id,
    show,
    goTo: async (url) => { await show(); await session.navigateTo(url); },
    evaluate: async (expression) => { await show(); return session.execute(`return ${expression}`); },
    clickAt: async (x, y) => { await show(); await session.clickAt(x, y); },
  };
}
