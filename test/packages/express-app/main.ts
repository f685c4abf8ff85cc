/** An Express application with its own middleware, and BFFs mounted in it. Their configurations are its argument. Ends when its
 *  input ends. */

import type { AddressInfo } from 'node:net';
import cookieParser from 'cookie-parser';
import express from 'express';
import { createVestibule, type Vestibule, type VestibuleConfig } from '@vestibule/bff';

const configs = JSON.parse(process.argv[2] ?? '') as VestibuleConfig[];

const app = express();
app.set('trust proxy', true).set('query parser', 'extended').set('case sensitive routing', true);
app.use(cookieParser('a secret of the application itself'), express.json(), express.urlencoded({ extended: true }));
app.get('/visit', (req, res) => {
  res.cookie('visited', 'yes', { signed: true }).json({ visited: req.signedCookies['visited'], query: req.query });
});

const vestibules: Vestibule[] = [];
for (const config of configs) {
  const vestibule = await createVestibule(config);
  vestibules.push(vestibule);
  app.use(new URL(config.publicUrl).pathname, vestibule.router);
}
app.use((_req, res) => { res.status(404).send('nothing of the application'); });

const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

for await (const _ of process.stdin);
await Promise.all(vestibules.map((vestibule) => vestibule.drain()));
await new Promise((resolve) => server.close(resolve));
await Promise.all(vestibules.map((vestibule) => vestibule.close()));
