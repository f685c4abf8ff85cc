/** Whether the keys look like keys, and whether the service knows them: it is asked to exchange a code that does not exist
 *  (interface 4.4), and says whether it was the code or the client that it refused. */

import type { Config } from '../../config/config.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { ServiceClient } from '../../service/service-client.ts';
import { TokenRefusedError } from '../../service/token-exchange.ts';
import { findingsOf, type Finding } from './finding.ts';

/** No service issues such a code. */
const NO_CODE = 'vestibule-check';

export async function checkKeys(config: Config): Promise<readonly Finding[]> {
  const { fail } = findingsOf('keys');
  const { publicKey, secretKey } = config;
  if (publicKey === secretKey) return [fail('VESTIBULE_SECRET_KEY is the public key: take the secret one')];
  if (secretKey !== secretKey.trim()) return [fail('VESTIBULE_SECRET_KEY has white space at an end: take it off, or use VESTIBULE_SECRET_KEY_FILE')];
  return [await askService(config)];
}

async function askService(config: Config): Promise<Finding> {
  const { ok, warn, fail } = findingsOf('keys');
  await using service = new ServiceClient(config);
  try {
    await service.exchangeCode(NO_CODE);
  } catch (error) {
    const { type, cause } = error instanceof ProblemError ? error : new ProblemError('internal-error');
    if (cause instanceof TokenRefusedError) {
      return cause.error === 'invalid_client' || cause.error === 'unauthorized_client'
        ? fail('the service does not take these keys together: check VESTIBULE_PUBLIC_KEY and VESTIBULE_SECRET_KEY')
        : ok('the service knows them');
    }
    if (type === 'service-unavailable' || type === 'outcome-unknown') return warn('they are there; the service could not be asked about them');
  }
  return fail(`what ${config.serviceUrl} says to a code that does not exist is not what the service would: check VESTIBULE_SERVICE_URL, its path included`);
}
