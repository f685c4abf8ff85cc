/** `npm start` without a configuration: runs the demonstration until `SIGINT` or `SIGTERM`. `HOST` and `PORT` choose its
 *  address, `DEMO_SERVICE_PORT` that of the service, `DEMO_DIRECTORY` where it keeps comments, sessions and keys,
 *  `DEMO_PUBLIC_URL` the public URLs of BFFs of one's own and `DEMO_FORUMS` their forums, both separated by commas. */

import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { OWN_BFF, SERVICE_PORT, startDemo, PORT as USUAL_PORT } from './demo.ts';

const { HOST, PORT, DEMO_DIRECTORY, DEMO_FORUMS, DEMO_PUBLIC_URL, DEMO_SERVICE_PORT } = process.env;
const itemsOf = (text = ''): readonly string[] => text.split(',').map((item) => item.trim()).filter((item) => item !== '');
const directory = DEMO_DIRECTORY || resolve(import.meta.dirname, '../../node_modules/.cache/vestibule-demonstration');
const given = itemsOf(DEMO_PUBLIC_URL).map((url) => url.replace(/\/+$/, ''));
const [ownBff = OWN_BFF, ...otherBffs] = given;
const servicePort = DEMO_SERVICE_PORT ? Number(DEMO_SERVICE_PORT) : SERVICE_PORT;
const demo = await startDemo({
  directory, ownBffs: [ownBff, ...otherBffs], forums: itemsOf(DEMO_FORUMS), servicePort,
  ...(HOST ? { host: HOST } : {}), ...(PORT ? { port: Number(PORT) } : {}),
}).catch((error: NodeJS.ErrnoException & { readonly port?: number }) => {
  if (error.code !== 'EADDRINUSE') throw error;
  const setting = error.port === servicePort ? 'DEMO_SERVICE_PORT' : 'PORT';
  process.stderr.write(`Port ${error.port} is taken. Choose another with ${setting}.\n`);
  return process.exit(1);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void demo[Symbol.asyncDispose]());

const { url, service } = demo;
const { origin, port } = new URL(ownBff);
const isElsewhere = !PORT && new URL(url).port !== String(USUAL_PORT);
process.stdout.write(`
The demonstration runs${isElsewhere ? `, on a free port, as ${USUAL_PORT} is taken` : ''}. Open

  ${url}/articles/lamplighter#comments

Write a comment, press "Sign in and post" and choose any account. The page says what else to try. "What just happened",
at its foot, lists the requests. ${url}/ is the front page.

To try the packages on a page of your own, start a server with these settings. They are valid while the demonstration runs:

  export VESTIBULE_SERVICE_URL=${service.url} VESTIBULE_FORUMS=${[...service.forums].join()}
  export VESTIBULE_PUBLIC_KEY=${service.publicKey} VESTIBULE_SECRET_KEY=${service.secretKey}
  export VESTIBULE_PUBLIC_URL=${ownBff} PORT=${ownBff === OWN_BFF ? port : 8090}
  export ${ownBff === OWN_BFF ? `VESTIBULE_ALLOWED_ORIGINS=${origin},http://localhost:3000,http://localhost:5173` : 'VESTIBULE_TRUST_PROXY=loopback'}
  export VESTIBULE_COOKIE_SECRETS=${randomBytes(32).toString('hex')} VESTIBULE_THREADS=service

  npx @vestibule/bff serve
${otherBffs.map((bff, i) => `
For ${bff}, start another one, in another folder, with the same settings except

  export VESTIBULE_PUBLIC_URL=${bff} PORT=${8091 + i}
`).join('')}
A page at ${ownBff === OWN_BFF ? 'one of the allowed origins' : origin} needs two lines. A server must send it: a page opened as a file has no origin.
${ownBff}/comments has the box without a page:

  <script type="module" src="${ownBff}/widget.js"></script>
  <vestibule-comments forum="news" show-posts></vestibule-comments>

The comment service is emulated; nothing leaves this machine. Comments are kept in
${directory}; delete it to start anew. Ctrl+C ends the demonstration.
`);
