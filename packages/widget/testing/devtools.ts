/** Server command `devtools` of the element tests: sends a command of the Chrome DevTools Protocol to the page of the test. */

import type { TestRunnerConfig } from '@web/test-runner';
import type { ChromeLauncher } from '@web/test-runner-chrome';

type Page = ReturnType<ChromeLauncher['getPage']>;
type Client = Awaited<ReturnType<Page['createCDPSession']>>;

export interface DevtoolsCommand {
  readonly method: string;
  readonly params?: object;
}

export function devtools(): NonNullable<TestRunnerConfig['plugins']>[number] {
  // Settings such as blocked addresses end with their session.
  const clients = new WeakMap<Page, Promise<Client>>();
  return {
    name: 'devtools-command',
    async executeCommand({ command, payload, session }) {
      if (command !== 'devtools') return undefined;
      const { method, params } = payload as DevtoolsCommand;
      const page = (session.browser as ChromeLauncher).getPage(session.id);
      const client = clients.get(page) ?? page.createCDPSession();
      clients.set(page, client);
      return await (await client).send(method as 'Input.insertText', params as { text: string }) ?? {};
    },
  };
}
