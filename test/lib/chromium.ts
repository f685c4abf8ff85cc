/** Starts Chromium with Playwright. */

import { chromium, type Browser } from 'playwright-core';

const ARGUMENTS = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

const DISABLED_FEATURES = [
  // Pages of the address bar: each window would load some 380 modules of them.
  'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup',
  // Playwright's own list without `PaintHolding`. Chromium uses the last `--disable-features` only.
  'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay', 'MediaRouter', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints',
  'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch', 'Translate',
];

export interface ChromiumOptions {
  /** Whether the previous page stays visible until the next one is painted, as in a reader's browser. Clicks can be lost
   *  meanwhile. Default: false. */
  readonly holdsPaints?: boolean;
}

export function launchChromium({ holdsPaints = false }: ChromiumOptions = {}): Promise<Browser> {
  const features = [...DISABLED_FEATURES, ...(holdsPaints ? [] : ['PaintHolding'])];
  return chromium.launch({
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium-headless-shell',
    args: [...ARGUMENTS, `--disable-features=${features.join(',')}`],
  });
}
