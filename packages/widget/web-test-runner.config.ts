/** Tests of the elements in Chromium. Each test talks to a BFF of its own, scripted, over real HTTP. */

import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter, type TestRunnerConfig } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { a11ySnapshotPlugin } from '@web/test-runner-commands/plugins';
import { freePort } from '../../test/lib/free-port.ts';
import { copies } from './testing/copies.ts';
import { devtools } from './testing/devtools.ts';
import { fileTimes } from './testing/file-times.ts';
import { scriptedBff } from './testing/scripted-bff.ts';

/** For each step of a test file: one that hangs is named after four minutes. */
const LONGEST_MS = 240_000;

/** Whether the models run many schedules: `npm run test:long`. */
const IS_LONG = process.env['VESTIBULE_LONG'] === 'true';

/** Page of a test file. Mocha in a browser fails the test during which an error is reported, but logs rejections only. */
export const testPage = (script: string): string => `<!doctype html>
<script>((report) => addEventListener('unhandledrejection', ({ reason }) => { report(reason); }))(reportError);
  globalThis.isLong = ${IS_LONG};</script>
<script type="module" src="${script}"></script>`;

const config: TestRunnerConfig = {
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  files: ['packages/widget/src/**/*.test.ts', '!packages/widget/src/**/*.node.test.ts'],
  hostname: '127.0.0.1',
  port: await freePort(),
  concurrency: 2,
  nodeResolve: { exportConditions: ['@vestibule/source', 'browser', 'development'] },
  plugins: [
    esbuildPlugin({ ts: true, target: 'es2024', tsconfig: fileURLToPath(new URL('tsconfig.json', import.meta.url)) }),
    a11ySnapshotPlugin(),
    devtools(),
  ],
  middleware: [scriptedBff(), copies()],
  browsers: [chromeLauncher({
    launchOptions: {
      executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium-headless-shell',
      timeout: LONGEST_MS,
      protocolTimeout: LONGEST_MS,
      args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
    },
    // In a profile, and so a window, of its own: pages share no storage, and none is in the background, which is not drawn.
    createPage: async ({ browser }) => (await browser.createBrowserContext()).newPage(),
  })],
  reporters: [defaultReporter(), fileTimes()],
  filterBrowserLogs: ({ args }) => !String(args[0]).startsWith('Lit is in dev mode'),
  testRunnerHtml: testPage,
  // The deadline is that of `until`.
  testFramework: { config: { timeout: 120_000 } },
  // A slow machine makes a test slower, not red: the runner's own limits are 30 s for a page and 20 s for its modules.
  browserStartTimeout: LONGEST_MS,
  testsStartTimeout: LONGEST_MS,
  testsFinishTimeout: LONGEST_MS,
};

export default config;
