/** Mutations of logs and exits: secrets in a log, log destinations, signals. */

import type { Mutation } from './mutation.ts';

const bff = 'packages/bff/src';
const availability = 'test/security/availability.test.ts';
const leaks = 'test/security/leaks.test.ts';
const logDestinations = 'test/process/log-destinations.test.ts';
const leak = 'through 60 flows, failures included: not to a log, a problem, an address, the bundle or a plain byte of the store';

export const logMutations: readonly Mutation[] = [
  {
    name: 'the message of a hook\'s error reaches the log',
    file: `${bff}/config/run-hook.ts`,
    find: 'throw fail(new HookError(`The hook ${name} threw.`, error));',
    replace: 'throw fail(error as HookError);',
    test: { file: `${bff}/config/run-hook.test.ts`, name: 'logs the hook\'s name and its place, without the message, when it throws' },
  },
  {
    name: 'the words of any error reach the log',
    file: `${bff}/log-error.ts`,
    find: 'return isOurs ? error.message : undefined;',
    replace: 'return error.message;',
    test: { file: `${bff}/log-error.test.ts`, name: 'writes the place of a foreign error without its message' },
  },
  {
    name: 'the log carries URLs with their query',
    file: `${bff}/http/request-context.ts`,
    find: 'route,\n        status: res.statusCode,',
    replace: 'route: res.req.originalUrl,\n        status: res.statusCode,',
    test: { file: leaks, name: leak },
  },
  {
    name: 'a full log disk: the final flush is not caught',
    file: `${bff}/cli/log-output.ts`,
    find: '    try {\n      stream.flushSync();\n    } catch {}',
    replace: '    stream.flushSync();',
    test: { file: availability, name: 'security review 6: on a full disk stops neither requests nor the exit' },
  },
  {
    name: 'a full log disk: a failed write is an uncaught error',
    file: `${bff}/cli/log-output.ts`,
    find: '  stream.on(\'error\', () => undefined);\n',
    replace: '',
    test: { file: availability, name: 'security review 6: on a full disk stops neither requests nor the exit' },
  },
  {
    name: 'a stopped terminal: log lines are written by a blocking write',
    file: `${bff}/cli/log-output.ts`,
    find: 'if (!isTTY) return fd;',
    replace: 'return fd;',
    test: { file: logDestinations, name: 'that is a terminal and is not read' },
  },
  {
    name: 'a process group\'s second SIGTERM ends posts in flight',
    file: `${bff}/cli/signals.ts`,
    find: 'const REPEAT_MS = 1_000;',
    replace: 'const REPEAT_MS = 0;',
    test: { file: availability, name: 'security review 12: twice within a second cuts off no post in flight' },
  },
];
