/** The process: arguments and environment in, exit status out. */

import { run } from './cli/run.ts';

process.exitCode = await run(process.argv.slice(2));
