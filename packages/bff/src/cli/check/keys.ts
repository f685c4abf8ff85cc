/** Checks without side effects whether the service accepts the keys, the redirect URI and the forums. */

import type { Config } from '../../config/config.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { ServiceClient } from '../../service/service-client.ts';
import { authorizeUrl } from '../../service/sign-in-urls.ts';
import { TokenRefusedError } from '../../service/token-exchange.ts';
import { findingsOf, type Finding } from './finding.ts';

const UNKNOWN_CODE = 'vestibule-check';
const UNKNOWN_FORUM = 'vestibule-check';
const WRONG_SECRET_KEY = 'vestibule-check';

/** `client`: the service refused the client. `code`: it refused the code. */
type Refusal = 'client' | 'code' | 'no-response' | 'not-the-service';

/** Exchanges a code that does not exist (interface 4.4), once with the secret key and once with a wrong one. The keys are
 *  proved if the service refuses the client only for the wrong one. */
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
    case 'code': {
      const toWrongKey = await exchangeUnknownCode({ ...config, secretKey: WRONG_SECRET_KEY });
      if (toWrongKey === 'client') return [ok('the service accepts them')];
      return [warn(`not proved: the service ${toWrongKey === 'code' ? 'responds the same' : 'did not respond'} to a wrong secret key`)];
    }
  }
}

/**
 * Checks the redirect URI and the forums without side effects: requests the page of the authorization request (interface 4.2)
 * as configured, and once more with a value that no service knows. Proved is what the service refuses only for that value.
 */
export async function checkRegistration(config: Config): Promise<readonly Finding[]> {
  const { redirectUri, forums, embeddedUrl } = config;
  const [defaultForum = ''] = forums;
  const registration = findingsOf('registration');
  if (embeddedUrl !== undefined) return [registration.warn('not proved: sign-ins start at VESTIBULE_EMBEDDED_URL, which is not requested')];
  const response = await requestAuthorization(config, defaultForum);
  if (response === 'none') return [registration.warn('not proved: the service did not respond')];
  if (response === 'refused') return [registration.fail(`the service refuses VESTIBULE_PUBLIC_KEY or the redirect URI: register exactly ${redirectUri}`)];
  const { ok, warn, fail } = findingsOf('forums');
  const notProved = (to: AuthorizationResponse) => `not proved: the service ${to === 'none' ? 'did not respond' : 'responds the same'} to`;
  const toUnknownForum = await requestAuthorization(config, UNKNOWN_FORUM);
  const unregistered = `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}unregistered=1`;
  const toUnregistered = await requestAuthorization({ ...config, redirectUri: unregistered }, defaultForum);
  return [
    toUnregistered === 'refused'
      ? registration.ok(`the service knows the public key and the redirect URI ${redirectUri}`)
      : registration.warn(`${notProved(toUnregistered)} a redirect URI that is not registered`),
    ...await Promise.all(forums.map(async (forum) => {
      if (toUnknownForum !== 'error') return warn(`${forum}: ${notProved(toUnknownForum)} an unknown forum`);
      const toForum = await requestAuthorization(config, forum);
      if (toForum === 'error') return fail(`${forum}: the service does not know this forum: check VESTIBULE_FORUMS`);
      return toForum === 'page' ? ok(`${forum}: the service knows it`) : warn(`${forum}: not proved: the service did not respond with its page`);
    })),
  ];
}

/** `error`: the service returns the reader with an error. `refused`: it shows one itself. `none`: no verdict, as for 429. */
type AuthorizationResponse = 'page' | 'error' | 'refused' | 'none';

async function requestAuthorization(config: Config, forum: string): Promise<AuthorizationResponse> {
  try {
    const signal = AbortSignal.timeout(config.serviceTimeoutMs);
    const { status, headers, body } = await fetch(authorizeUrl(config, forum), { redirect: 'manual', signal });
    await body?.cancel();
    if (status >= 400) return status < 500 && status !== 429 ? 'refused' : 'none';
    return URL.parse(headers.get('location') ?? '')?.searchParams.has('error') === true ? 'error' : 'page';
  } catch {
    return 'none';
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
