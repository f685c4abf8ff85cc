/** Asks the public URL for the start of a sign-in, as a browser does: whether the BFF gets the request, and the browser its
 *  redirect and its cookie. Only what a BFF has answered is a failure: before it runs, anything may be at its address. */

import { endpoints, PROBLEM_TYPE_PREFIX } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { authorizeUrl } from '../sync/addresses.ts';
import { fail, ok, request, warn, type Finding, type RequestError } from './finding.ts';

export async function checkPublicUrl(config: Config): Promise<readonly Finding[]> {
  const { publicUrl, host, port } = config;
  const url = publicUrl + endpoints.syncAuthorize.path;
  const answer = await request(config, url, { headers: { 'Sec-Fetch-Site': 'same-origin', Accept: 'application/json' } })
    .catch(({ reason }: RequestError) => reason);
  if (typeof answer === 'string') {
    return [warn('reachable', `${url}: no answer (${answer}): start the server and the proxy, or correct VESTIBULE_PUBLIC_URL, DNS or the certificate, `
      + 'and repeat the check')];
  }
  const { status, headers, text } = answer;
  const [, problem] = new RegExp(`"${PROBLEM_TYPE_PREFIX}([a-z-]+)"`).exec(text) ?? [];
  if (problem === 'not-found') return [fail('reachable', `Vestibule answers ${url} with not-found: the proxy must pass the path on unchanged`)];
  if (problem !== undefined) return [warn('reachable', `Vestibule answers ${url} with ${problem}: repeat the check in a minute`)];
  const location = headers.get('location');
  if (status !== 302 || location !== (config.embeddedUrl ?? authorizeUrl(config, config.forums[0] ?? ''))) {
    // Without its query, which may contain a key.
    const to = location === null ? '' : ` to ${URL.parse(location, url)?.origin ?? 'an invalid address'}`;
    return [warn('reachable', `${url} answers ${status}${to}, which is not the sign-in of these settings: let the proxy pass requests on to `
      + `${host}:${port}, and redirects back, or correct VESTIBULE_PUBLIC_URL`)];
  }
  const [cookie = ''] = headers.getSetCookie();
  const isWhole = [...cookie.matchAll(/; *(?:SameSite|Path|Domain)=[^;]*/gi)].join() === '; Path=/,; SameSite=Lax';
  return [
    ok('reachable', `${publicUrl} leads to Vestibule with these settings`),
    isWhole ? ok('cookies', 'arrive as they were set')
      : fail('cookies', 'a proxy removes or changes the cookies of the public URL, so sign-ins do not finish: let Set-Cookie pass as it is'),
  ];
}

/** A BFF that runs and cannot write to its store; `undefined`: it can, or none answers. */
export async function refusedStore(config: Config): Promise<Finding | undefined> {
  const url = config.publicUrl + endpoints.readiness.path;
  const { status, text } = await request(config, url).catch(() => ({ status: undefined, text: '' }));
  if (status !== 503 || !text.includes('"store":"unavailable"')) return undefined;
  return fail('store', `${url} says that the store does not accept writes: sign-ins and posts fail; the log of the server has the reason`);
}
