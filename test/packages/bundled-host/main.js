/** A host application that is bundled with its dependencies. Its argument is the path of the store. */

import { createVestibule } from '@vestibule/bff';

await using vestibule = await createVestibule({
  serviceUrl: 'http://127.0.0.1:9',
  publicKey: 'public',
  secretKey: 'secret',
  forums: ['news'],
  publicUrl: 'http://www.example.com/vestibule',
  cookieSecrets: ['a cookie secret that is thirty-two bytes long or more'],
  store: `sqlite:${process.argv[2]}`,
});
for await (const _ of vestibule.profiles.all());
console.log('started');
