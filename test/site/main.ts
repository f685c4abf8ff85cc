/** `npm start` without a configuration: runs the demonstration until `SIGINT` or `SIGTERM`. `HOST` and `PORT` choose its
 *  address, `DEMO_DIRECTORY` where it keeps posts and sessions. */

import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { OWN_BFF, startDemo } from './demo.ts';

const { HOST, PORT, DEMO_DIRECTORY } = process.env;
const directory = DEMO_DIRECTORY || resolve(import.meta.dirname, '../../node_modules/.cache/vestibule-demonstration');
const demo = await startDemo({ directory, ...(HOST ? { host: HOST } : {}), ...(PORT ? { port: Number(PORT) } : {}) });

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void demo[Symbol.asyncDispose]());

const { url, service } = demo;
const { origin, port } = new URL(OWN_BFF);
process.stdout.write(`
The demonstration runs. Open

  ${url}/articles/lamplighter#comments

Write a comment, press "Sign in to post" and choose any account. The page says what else to try. "What just happened",
at its foot, lists the requests. ${url}/ is the front page.

To try the packages on a page of your own, start a BFF with these settings. They are valid until the demonstration ends:

  export VESTIBULE_SERVICE_URL=${service.url} VESTIBULE_FORUMS=${[...service.forums].join()}
  export VESTIBULE_PUBLIC_KEY=${service.publicKey} VESTIBULE_SECRET_KEY=${service.secretKey}
  export VESTIBULE_PUBLIC_URL=${OWN_BFF} PORT=${port}
  export VESTIBULE_ALLOWED_ORIGINS=${origin},http://localhost:3000,http://localhost:5173
  export VESTIBULE_COOKIE_SECRETS=${randomBytes(32).toString('hex')}

  npx @vestibule/bff serve

A page at one of the allowed origins needs two lines. A server must send it: a page opened as a file has no origin.
${OWN_BFF}/comments has the box without a page:

  <script type="module" src="${OWN_BFF}/widget.js"></script>
  <vestibule-comments forum="news"></vestibule-comments>

The comment service is emulated; nothing leaves this machine. Comments are kept in
${directory}; delete it to start anew. Ctrl+C ends the demonstration.
`);
