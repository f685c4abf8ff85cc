/** A host application that is bundled into one file and runs without the files of the package. */

import { createVestibule } from '@vestibule/bff';

void createVestibule({
  serviceUrl: 'http://127.0.0.1:9',
  publicKey: 'public',
  secretKey: 'secret',
  forums: ['news'],
  publicUrl: 'http://www.example.com/vestibule',
  cookieSecrets: ['a cookie secret that is thirty-two bytes long or more'],
  store: 'memory:',
});
