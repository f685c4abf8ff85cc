/** Chromium as the tests start it: where it lies, with which arguments, and its start by Playwright. */

import { chromium, type Browser } from 'playwright-core';

export const chromiumPath = process.env['CHROME_PATH'] ?? '/usr/bin/chromium';

const QUIET = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

/** Chromium's own pages for its address bar would load with each window, some 380 modules that are no part of any test. */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];

/** What Playwright turns off by itself, but for the holding of paints. Of two such lists Chromium reads the last one alone. */
const OF_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay', 'MediaRouter', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints',
  'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch',
];

/** For a driver that adds them to its own, as Puppeteer does. */
export const chromiumArguments: readonly string[] = [...QUIET, turnedOff(ADDRESS_BAR)];

export interface ChromiumWish {
  /** Whether the page before stays in view until the next one is painted, as readers have it. A click can be lost meanwhile, so
   *  Playwright turns it off. Default false. */
  readonly holdsPaints?: boolean;
}

export function launchChromium({ holdsPaints = false }: ChromiumWish = {}): Promise<Browser> {
  const features = [...OF_PLAYWRIGHT, ...ADDRESS_BAR, 'Translate', ...(holdsPaints ? [] : ['PaintHolding'])];
  return chromium.launch({ executablePath: chromiumPath, args: [...QUIET, turnedOff(features)] });
}

function turnedOff(features: readonly string[]): string {
  return `--disable-features=${features.join(',')}`;
}
