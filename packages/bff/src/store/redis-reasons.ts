/** What a failure to open a Redis means, in words for the operator; no word of the server's, which might quote something. */

import { SilenceError } from './redis-client.ts';

/** Replies by their first word, then failures of the connection by their code. */
const reasons: Readonly<Record<string, string>> = {
  WRONGPASS: 'refuses the user name or the password',
  NOAUTH: 'asks for a password',
  NOPERM: 'does not let this user run the commands or use the keys that are needed (`~vestibule:*`)',
  READONLY: 'is a replica, which takes no writes',
  MISCONF: 'takes no writes, because it cannot save them',
  OOM: 'takes no writes, because its memory is used up',
  CLUSTERDOWN: 'belongs to a cluster that is down',
  ECONNREFUSED: 'cannot be reached: the connection is refused',
  ECONNRESET: 'ends the connection',
  EHOSTUNREACH: 'cannot be reached: there is no way to the host',
  ENETUNREACH: 'cannot be reached: there is no way to the network',
  ENOTFOUND: 'cannot be reached: its name is not known',
  EAI_AGAIN: 'cannot be reached: its name cannot be looked up at the moment',
  ETIMEDOUT: 'cannot be reached: it does not answer',
  EPROTO: 'does not speak TLS as it should',
};

/** A server that answers and cannot be used; the message completes "The Redis server …". */
export class UnfitServerError extends Error {
  override readonly name = 'UnfitServerError';
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'does not answer';
  if (error instanceof UnfitServerError) return error.message;
  const [word = ''] = error.message.split(' ', 1);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/without any password configured|no password is set/.test(error.message)) return 'has no password, and the address has one';
  if (/closed unexpectedly/i.test(error.message)) return 'ends the connection';
  if (error instanceof SilenceError || /timeout/i.test(error.message)) return 'does not answer in time';
  if (/cert|altname|signature/i.test(code)) return `has a certificate that is not trusted (${code})`;
  if (/cluster support disabled/.test(error.message)) return 'is not part of a cluster';
  if (/unknown command|NOPROTO/.test(error.message)) return 'is too old: Redis 7.0 or newer is needed';
  return reasons[word] ?? reasons[code] ?? `does not answer as it should${code === '' ? '' : ` (${code})`}`;
}
