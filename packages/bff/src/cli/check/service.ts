/** Whether the service can be reached at its address, how its connection is secured, and what its clock says. */

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Config } from '../../config/config.ts';
import { driftOf, MAX_DRIFT_MS } from '../../service/service-clock.ts';
import { findingsOf, type Finding } from './finding.ts';

interface Knock {
  readonly date: string | undefined;
  readonly sentAt: number;
  readonly receivedAt: number;
  /** When the service's certificate ends. */
  readonly certificateEndsAt: number | undefined;
}

const DAY_MS = 86_400_000;

export async function checkService({ serviceUrl, serviceTimeoutMs }: Config): Promise<readonly Finding[]> {
  const url = new URL(`${serviceUrl}/`);
  try {
    const knock = await knockAt(url, serviceTimeoutMs);
    const ms = Math.round(knock.receivedAt - knock.sentAt);
    return [findingsOf('service').ok(`${url.host} answers, in ${ms} ms`), checkTls(url, knock), checkClock(knock)];
  } catch (error) {
    return [findingsOf('service').fail(adviceFor(error))];
  }
}

/** One `HEAD` that changes nothing. */
function knockAt(url: URL, timeoutMs: number): Promise<Knock> {
  const { promise, resolve, reject } = Promise.withResolvers<Knock>();
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const sentAt = Date.now();
  const sent = send(url, { method: 'HEAD', agent: false, signal: AbortSignal.timeout(timeoutMs) });
  sent.once('error', reject);
  sent.once('response', (answer) => {
    const { socket, headers: { date } } = answer;
    const certificate = 'getPeerCertificate' in socket ? (socket as TLSSocket).getPeerCertificate() : undefined;
    const certificateEndsAt = certificate?.valid_to === undefined ? undefined : Date.parse(certificate.valid_to);
    resolve({ date, sentAt, receivedAt: Date.now(), certificateEndsAt });
    answer.resume();
  });
  sent.end();
  return promise;
}

function checkTls(url: URL, { certificateEndsAt }: Knock): Finding {
  const { ok, warn } = findingsOf('tls');
  if (url.protocol === 'http:') {
    const isHere = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
    return isHere ? ok('none, on this machine') : warn('VESTIBULE_SERVICE_URL begins with http: the secret key and every token can be read on the way');
  }
  const days = Math.floor(((certificateEndsAt ?? Infinity) - Date.now()) / DAY_MS);
  if (days < 14) return warn(`the certificate is good, for ${days} more days`);
  return ok('the certificate is good');
}

function checkClock(knock: Knock): Finding {
  const { ok, warn, fail } = findingsOf('clock');
  if (knock.date === undefined) return warn('the service says no Date, so its clock cannot be compared: keep this machine\'s right (NTP)');
  const driftMs = driftOf(knock);
  if (driftMs === undefined) {
    return fail(`the service's clock is more than ${MAX_DRIFT_MS / DAY_MS} day off: set this machine's clock (NTP), or posts are refused`);
  }
  if (Math.abs(driftMs) <= 2_000) return ok('within 2 s of the service\'s');
  const words = `the service's clock is ${Math.abs(driftMs / 1000).toFixed(0)} s ${driftMs > 0 ? 'ahead' : 'behind'}`;
  return warn(`${words}: nonces follow it, and this machine's clock should be set (NTP)`);
}

function adviceFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the address does not resolve: check the host of VESTIBULE_SERVICE_URL and this machine\'s DNS';
  if (code === 'ECONNREFUSED') return 'nothing listens there: check host and port of VESTIBULE_SERVICE_URL';
  if (code === 'ABORT_ERR' || code === 'ETIMEDOUT' || (error instanceof Error && error.name === 'TimeoutError')) {
    return 'there is no answer: check VESTIBULE_SERVICE_URL, and whether a firewall lets this machine out';
  }
  if (code === 'EPROTO') return 'what answers there does not speak TLS: check scheme and port of VESTIBULE_SERVICE_URL';
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate has expired: tell the service, or check this machine\'s clock';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'the certificate is for another host: check the host of VESTIBULE_SERVICE_URL';
  if (/CERT|SIGNATURE|ISSUER|VERIFY|TLS|SSL/.test(code)) {
    return `the connection cannot be trusted (${code}): for a certificate authority of your own set NODE_EXTRA_CA_CERTS`;
  }
  return `it cannot be reached${code === '' ? '' : ` (${code})`}: check VESTIBULE_SERVICE_URL`;
}
