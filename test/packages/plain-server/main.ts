/** The BFF on a plain Node.js server. Its configuration is the argument. Ends when its input ends. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createVestibule, type VestibuleConfig } from '@vestibule/bff';

const vestibule = await createVestibule(JSON.parse(process.argv[2] ?? '') as VestibuleConfig);

const server = createServer(vestibule.router);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

for await (const _ of process.stdin);
await vestibule.drain();
await new Promise((resolve) => server.close(resolve));
await vestibule.close();
