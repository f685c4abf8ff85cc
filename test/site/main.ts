/** `npm start` without a configuration: runs the demonstration until `SIGINT` or `SIGTERM`. `HOST` and `PORT` choose its
 *  address, `DEMO_DIRECTORY` where it keeps posts and sessions. */

import { resolve } from 'node:path';
import { startDemo } from './demo.ts';

const { HOST, PORT, DEMO_DIRECTORY } = process.env;
const directory = DEMO_DIRECTORY || resolve(import.meta.dirname, '../../node_modules/.cache/vestibule-demonstration');
const demo = await startDemo({ directory, ...(HOST ? { host: HOST } : {}), ...(PORT ? { port: Number(PORT) } : {}) });

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void demo[Symbol.asyncDispose]());

const article = `${demo.url}/articles/lamplighter`;
process.stdout.write(`
The demonstration runs at ${demo.url}/

  ${article}
      Write a comment, press the sign-in button and choose any account. Say that you are 17 to be
      turned away; leave the house rules unticked to be asked again; press Cancel to go without.
  ${article}?sync=inline
      The same, without a second window.
  “Sign in at Parley”, below the box
      The service's own way in: the reader arrives with the four parameters in the address.
  ${demo.url}/articles/slow-railway?boxes=2
      Two boxes on one page.
  ${article}?posts=server
      The first comments are part of the page's HTML.

The comment service is emulated at ${demo.service.url}; nothing leaves this machine. Comments are kept
in ${directory}; delete it to start anew. Ctrl+C ends it.
`);
