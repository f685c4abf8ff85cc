/** `npm start` without a configuration: runs the demonstration until `SIGINT` or `SIGTERM`. `HOST` and `PORT` choose its
 *  address. */

import { startDemo } from './index.ts';

const { HOST, PORT } = process.env;
const demo = await startDemo({ ...(HOST ? { host: HOST } : {}), ...(PORT ? { port: Number(PORT) } : {}) });

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void demo[Symbol.asyncDispose]());

const article = `${demo.url}/articles/lamplighter`;
process.stdout.write(`
The Harbour Courier is out:  ${demo.url}/

  ${article}
      Write a comment, press the sign-in button and choose any account. Say that you are 17 to be
      turned away; leave the house rules unticked to be asked again; press Cancel to go without.
  ${article}?sync=inline
      The same, without a second window.
  “Sign in at Parley”, below the box
      The service's own way in: the reader arrives with the four parameters in the address.
  ${demo.url}/articles/slow-railway?boxes=2
      Two boxes on one page.

The comment service is emulated at ${demo.service.url}; nothing leaves this machine. Ctrl+C ends it.
`);
