/** Checks that the service is reachable, its TLS certificate, and its clock. */

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Config } from '../../config/config.ts';
import { driftOf, MAX_DRIFT_MS, type DateReading } from '../../service/service-clock.ts';
import { findingsOf, type Finding } from './finding.ts';

interface ProbeResult extends DateReading {
  /** Expiry of the service's certificate, in milliseconds since the epoch. */
  readonly certificateEndsAt: number | undefined;
}

const DAY_MS = 86_400_000;

export async function checkService({ serviceUrl, serviceTimeoutMs }: Config): Promise<readonly Finding[]> {
  const url = new URL(`${serviceUrl}/`);
  try {
    const result = await probe(url, serviceTimeoutMs);
    const ms = Math.round(result.receivedAt - result.sentAt);
    return [findingsOf('service').ok(`${url.host} responds in ${ms} ms`), checkTls(url, result), checkClock(result)];
  } catch (error) {
    return [findingsOf('service').fail(adviceFor(error))];
  }
}

/** Sends one `HEAD`. */
function probe(url: URL, timeoutMs: number): Promise<ProbeResult> {
  const { promise, resolve, reject } = Promise.withResolvers<ProbeResult>();
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const sentAt = Date.now();
  const sent = send(url, { method: 'HEAD', agent: false, signal: AbortSignal.timeout(timeoutMs) });
  sent.once('error', reject);
  sent.once('response', (response) => {
    const { socket, headers: { date } } = response;
    const certificate = 'getPeerCertificate' in socket ? (socket as TLSSocket).getPeerCertificate() : undefined;
    const certificateEndsAt = certificate?.valid_to === undefined ? undefined : Date.parse(certificate.valid_to);
    resolve({ date, sentAt, receivedAt: Date.now(), certificateEndsAt });
    response.resume();
  });
  sent.end();
  return promise;
}

function checkTls(url: URL, { certificateEndsAt }: ProbeResult): Finding {
  const { ok, warn } = findingsOf('tls');
  if (url.protocol === 'http:') {
    const isHere = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
    return isHere ? ok('none needed on this machine') : warn('VESTIBULE_SERVICE_URL starts with http: the secret key and tokens can be intercepted; use https');
  }
  const days = Math.floor(((certificateEndsAt ?? Infinity) - Date.now()) / DAY_MS);
  if (days < 14) return warn(`the certificate expires in ${days} days: ask the service to renew it`);
  return ok('the certificate is valid');
}

function checkClock(result: ProbeResult): Finding {
  const { ok, warn, fail } = findingsOf('clock');
  if (result.date === undefined) return warn('the response has no Date header, so the clock cannot be compared: synchronize this machine\'s clock (NTP)');
  const driftMs = driftOf(result);
  if (driftMs === undefined) {
    return fail(`the service's clock is more than ${MAX_DRIFT_MS / DAY_MS} day off: synchronize this machine's clock (NTP), otherwise the service refuses posts`);
  }
  if (Math.abs(driftMs) <= 2_000) return ok('within 2 s of the service\'s clock');
  const drift = `the service's clock is ${Math.abs(driftMs / 1000).toFixed(0)} s ${driftMs > 0 ? 'ahead' : 'behind'}`;
  return warn(`${drift}: nonces follow it; synchronize this machine's clock (NTP)`);
}

function adviceFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host does not resolve: check the host of VESTIBULE_SERVICE_URL and this machine\'s DNS';
  if (code === 'ECONNREFUSED') return 'the connection is refused: check host and port of VESTIBULE_SERVICE_URL';
  if (code === 'ABORT_ERR' || code === 'ETIMEDOUT' || (error instanceof Error && error.name === 'TimeoutError')) {
    return 'no response: check VESTIBULE_SERVICE_URL and the firewall for outgoing connections';
  }
  if (code === 'EPROTO') return 'the server does not speak TLS: check scheme and port of VESTIBULE_SERVICE_URL';
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate has expired: check this machine\'s clock, or report it to the service';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'the certificate is for another host: check the host of VESTIBULE_SERVICE_URL';
  if (/CERT|SIGNATURE|ISSUER|VERIFY|TLS|SSL/.test(code)) {
    return `the certificate is not trusted (${code}): for your own certificate authority set NODE_EXTRA_CA_CERTS`;
  }
  return `the service is unreachable${code === '' ? '' : ` (${code})`}: check VESTIBULE_SERVICE_URL`;
}
