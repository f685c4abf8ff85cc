/**
 * Checks the keys without side effects: exchanges a code that does not exist (interface 4.4), once with the secret key and once
 * with a wrong one. The keys are proved if the service refuses the client only for the wrong one.
 */

import type { Config } from '../../config/config.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { ServiceClient } from '../../service/service-client.ts';
import { TokenRefusedError } from '../../service/token-exchange.ts';
import { findingsOf, type Finding } from './finding.ts';

const UNKNOWN_CODE = 'vestibule-check';
const WRONG_SECRET_KEY = 'vestibule-check';

/** `client`: the service refused the client. `code`: it refused the code. */
type Refusal = 'client' | 'code' | 'no-response' | 'not-the-service';

export async function checkKeys(config: Config): Promise<readonly Finding[]> {
  const { ok, warn, fail } = findingsOf('keys');
  const { publicKey, secretKey, serviceUrl } = config;
  if (publicKey === secretKey) return [fail('VESTIBULE_SECRET_KEY is the public key: use the secret key')];
  if (secretKey !== secretKey.trim()) {
    return [fail('VESTIBULE_SECRET_KEY starts or ends with white space: remove it, or use VESTIBULE_SECRET_KEY_FILE')];
  }
  switch (await exchangeUnknownCode(config)) {
    case 'client':
      return [fail('the service refuses these keys: check VESTIBULE_PUBLIC_KEY and VESTIBULE_SECRET_KEY')];
    case 'no-response':
      return [warn('not proved: the service did not respond')];
    case 'not-the-service':
      return [fail(`the response of ${serviceUrl} to an unknown code is not that of the service: check VESTIBULE_SERVICE_URL, including its path`)];
    case 'code':
      return [await exchangeUnknownCode({ ...config, secretKey: WRONG_SECRET_KEY }) === 'client'
        ? ok('the service accepts them')
        : warn('not proved: the service responds the same to a wrong secret key')];
  }
}

async function exchangeUnknownCode(config: Config): Promise<Refusal> {
  await using service = new ServiceClient(config);
  try {
    await service.exchangeCode(UNKNOWN_CODE);
    return 'not-the-service';
  } catch (error) {
    const { type, cause } = error instanceof ProblemError ? error : new ProblemError('internal-error');
    if (cause instanceof TokenRefusedError) return cause.error === 'invalid_client' || cause.error === 'unauthorized_client' ? 'client' : 'code';
    return type === 'service-unavailable' || type === 'outcome-unknown' ? 'no-response' : 'not-the-service';
  }
}
