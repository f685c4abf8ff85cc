/** Programs that the tests need and npm does not install: where to look, which variable has the path, and which Debian package
 *  installs it. A variable that is already set wins. */

import { access, constants, glob } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

export interface Tool {
  readonly name: string;
  /** Environment variable with the path. */
  readonly variable: string;
  /** Names on PATH, then absolute patterns; the first that exists is used. */
  readonly candidates: readonly string[];
  readonly debianPackages: readonly string[];
  /** `file` if it is read and not run. */
  readonly kind?: 'file';
}

export const tools: readonly Tool[] = [
  {
    // The headless shell first: the same engine without windows takes a third less processor time.
    name: 'Chromium',
    variable: 'CHROME_PATH',
    candidates: [
      'chromium-headless-shell', 'chrome-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable',
      '/Applications/Chromium.app/Contents/MacOS/Chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
    debianPackages: ['chromium-headless-shell'],
  },
  {
    name: 'Firefox',
    variable: 'FIREFOX_PATH',
    candidates: ['firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'],
    debianPackages: ['firefox-esr'],
  },
  {
    name: 'WebKit driver',
    variable: 'WEBKIT_DRIVER_PATH',
    candidates: ['WebKitWebDriver', '/usr/lib/*/webkit2gtk-4.*/WebKitWebDriver'],
    debianPackages: ['webkit2gtk-driver'],
  },
  {
    name: 'WebKit MiniBrowser',
    variable: 'WEBKIT_BROWSER_PATH',
    candidates: ['/usr/lib/*/webkit2gtk-4.*/MiniBrowser', '/usr/libexec/webkit2gtk-4.*/MiniBrowser'],
    debianPackages: ['webkit2gtk-driver'],
  },
  { name: 'Xvfb', variable: 'XVFB_PATH', candidates: ['Xvfb'], debianPackages: ['xvfb'] },
  { name: 'Redis', variable: 'REDIS_SERVER_PATH', candidates: ['redis-server'], debianPackages: ['redis-server'] },
  { name: 'nginx', variable: 'NGINX_PATH', candidates: ['nginx', '/usr/sbin/nginx'], debianPackages: ['nginx-light'] },
  { name: 'Apache', variable: 'APACHE_PATH', candidates: ['apache2', '/usr/sbin/apache2', 'httpd'], debianPackages: ['apache2-bin'] },
  { name: 'Caddy', variable: 'CADDY_PATH', candidates: ['caddy'], debianPackages: ['caddy'] },
  { name: 'PHP', variable: 'PHP_PATH', candidates: ['php'], debianPackages: ['php-cli'] },
  { name: 'systemd-analyze', variable: 'SYSTEMD_ANALYZE_PATH', candidates: ['systemd-analyze'], debianPackages: ['systemd'] },
  { name: 'promtool', variable: 'PROMTOOL_PATH', candidates: ['promtool'], debianPackages: ['prometheus'] },
  {
    name: 'a font with emoji',
    variable: 'EMOJI_FONT_PATH',
    kind: 'file',
    candidates: ['/usr/share/fonts/**/NotoColorEmoji*.ttf', '/System/Library/Fonts/Apple Color Emoji.ttc'],
    debianPackages: ['fonts-noto-color-emoji', 'fonts-liberation', 'fonts-dejavu-core', 'fonts-droid-fallback'],
  },
];

/** Finds `tool` on this machine. */
export async function findTool(tool: Tool): Promise<string | undefined> {
  const chosen = process.env[tool.variable];
  if (chosen) return chosen;
  for (const candidate of tool.candidates) {
    for await (const path of expand(candidate)) {
      if (await isThere(path, tool.kind)) return path;
    }
  }
  return undefined;
}

async function* expand(candidate: string): AsyncGenerator<string> {
  if (candidate.startsWith('/')) {
    yield* glob(candidate);
    return;
  }
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    if (directory) yield join(directory, candidate);
  }
}

async function isThere(path: string, kind: Tool['kind']): Promise<boolean> {
  try {
    await access(path, kind === 'file' ? constants.R_OK : constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
