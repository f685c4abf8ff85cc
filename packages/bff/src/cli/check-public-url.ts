/** Asks the public URL for the start of a sign-in, as a browser does: whether the BFF gets the request, and the browser its
 *  redirect and its cookie. Only what a BFF has answered is a failure: before it runs, anything may be at its address. */

import { endpoints, PROBLEM_TYPE_PREFIX } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { CERTIFICATE_ERROR } from '../service/transport.ts';
import { authorizeUrl } from '../service/urls.ts';
import { fail, ok, request, warn, type Finding, type RequestError } from './finding.ts';

type Answer = Awaited<ReturnType<typeof request>>;

export async function checkPublicUrl(config: Config): Promise<readonly Finding[]> {
  const url = config.publicUrl + endpoints.syncAuthorize.path;
  let answer: Answer;
  try {
    answer = await request(config, url, { headers: { 'Sec-Fetch-Site': 'same-origin', Accept: 'application/json' } });
  } catch (error) {
    return [warn('reachable', `${url}: ${explained((error as RequestError).reason)}`)];
  }
  const location = answer.headers.get('location');
  const isOurs = answer.status === 302 && location === (config.embeddedUrl ?? authorizeUrl(config, config.forums[0] ?? ''));
  if (!isOurs) return [statusFinding(config, url, answer, location)];
  return [ok('reachable', `${config.publicUrl} leads to a BFF with these settings`), checkCookie(answer)];
}

/** A BFF that runs and cannot write to its store; `undefined`: it can, or none answers. */
export async function refusedStore(config: Config): Promise<Finding | undefined> {
  const url = config.publicUrl + endpoints.readiness.path;
  const { status, text } = await request(config, url).catch(() => ({ status: undefined, text: '' }));
  if (status !== 503 || !text.includes('"store":"unavailable"')) return undefined;
  return fail('store', `${url} says that the store does not accept writes: sign-ins and posts fail; the log of the BFF has the reason`);
}

function explained(reason: string): string {
  if (/^E(?:NOTFOUND|AI_)/.test(reason)) return `the host does not resolve here (${reason}): check VESTIBULE_PUBLIC_URL and DNS`;
  if (CERTIFICATE_ERROR.test(reason)) return `its certificate is not trusted here (${reason}): browsers may refuse it, too; send the whole chain`;
  return `no answer (${reason}): start the BFF and the proxy, or correct scheme, host and port of VESTIBULE_PUBLIC_URL, and repeat the check`;
}

function checkCookie({ headers }: Answer): Finding {
  const [cookie] = headers.getSetCookie();
  if (cookie === undefined) return fail('cookies', 'a proxy removes Set-Cookie from the answers of the public URL, so sign-ins do not finish: let it pass');
  const isWhole = [...cookie.matchAll(/; *(?:SameSite|Path|Domain)=[^;]*/gi)].join() === '; Path=/,; SameSite=Lax';
  return isWhole ? ok('cookies', 'arrive as they were set')
    : warn('cookies', 'a proxy changes SameSite, Path or Domain: leave the cookies of the public URL as they are, or sign-ins do not finish');
}

function statusFinding(
  { publicUrl, host, port }: Config, url: string, { status, text }: Answer, location: string | null,
): Finding {
  const { pathname } = new URL(publicUrl);
  const problem = problemOf(text);
  if (problem === 'not-found') {
    return fail('reachable', `a BFF answers ${url} with not-found: the proxy removes or changes the path; it must pass ${pathname} on unchanged`);
  }
  if (problem !== undefined) return warn('reachable', `a BFF answers ${url} with ${problem}: repeat the check in a minute`);
  if (location !== null) {
    const to = URL.parse(location, url);
    // Its query may contain a key.
    return warn('reachable', `${url} redirects to ${to ? to.origin + to.pathname : 'an invalid address'}, which is not the sign-in of these settings: `
      + 'VESTIBULE_PUBLIC_URL must be the final address, without a sign-in before it, and of a BFF with the same settings');
  }
  const [saw, advice] = explainedStatus(status, `${host}:${port}`, pathname);
  return warn('reachable', `${url} answers ${status}, where ${saw}: ${advice}`);
}

/** What a status says that is no BFF's, and what to do. */
function explainedStatus(status: number, address: string, path: string): readonly [saw: string, advice: string] {
  if (status < 300) return ['a redirect belongs', 'a proxy follows redirects itself, or another server answers; pass redirects on'];
  if (status === 401 || status === 403) return ['something before the BFF refuses the request', 'readers need to get through'];
  if (status >= 502 && status <= 504) return ['the proxy does not reach the BFF', `start it, or correct the address: HOST and PORT are ${address}`];
  return ['no BFF is there', `let the proxy pass ${path} on to ${address}, or correct VESTIBULE_PUBLIC_URL`];
}

/** The type of a problem of a BFF. */
function problemOf(text: string): string | undefined {
  try {
    const { type } = JSON.parse(text) as { readonly type?: unknown };
    return typeof type === 'string' && type.startsWith(PROBLEM_TYPE_PREFIX) ? type.slice(PROBLEM_TYPE_PREFIX.length) : undefined;
  } catch {
    return undefined;
  }
}
