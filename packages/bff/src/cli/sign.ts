/** `vestibule sign`: prints each step of a signature (interface 5.1). Sends nothing. */

import type { Config } from '../config/config.ts';
import { readConfig } from '../config/load.ts';
import { SigningError, createSigner, normalizeParams, type Param, type SignableRequest } from '../signing/sign-request.ts';
import { CommandError, exitStatus, type CommandContext } from './command.ts';

export interface SignOptions {
  readonly method: string;
  readonly url: string;
  /** Each `name=value`. */
  readonly pairs: readonly string[];
}

export async function sign(options: SignOptions, { environment, print }: CommandContext): Promise<void> {
  const config = await readConfig(environment);
  try {
    for (const step of stepsOf(parseRequest(options), config)) print(step);
  } catch (error) {
    if (error instanceof SigningError) throw new CommandError(error.message, exitStatus.usage);
    throw error;
  }
}

const MARGIN = 26;

function stepsOf(request: SignableRequest, keys: Pick<Config, 'publicKey' | 'secretKey'>): readonly string[] {
  const { authorization, body, bodyHash, nonce, requestString, mac } = createSigner(keys).sign(request);
  return [
    ['normalized parameters', body ?? '(no body)'],
    ['body hash', bodyHash === '' ? '(empty: no body)' : bodyHash],
    ['nonce', nonce],
    ['request string', `${requestString.slice(0, -1).replaceAll('\n', `\\n\n${' '.repeat(MARGIN)}`)}\\n`],
    ['MAC', mac],
    ['Authorization', authorization],
  ].map(([name, value], i) => `${i + 1}  ${name}`.padEnd(MARGIN) + value);
}

function parseRequest({ method, url: address, pairs }: SignOptions): SignableRequest {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) throw usage('the URL must be absolute, such as https://comments.example/api/3.0/posts/create.json');
  const params = pairs.map(parsePair);
  const inQuery = /^(?:get|head)$/i.test(method);
  if (inQuery && params.length > 0) url.search = normalizeParams([...url.searchParams, ...params]);
  return { method, url, params: inQuery ? undefined : params };
}

function parsePair(pair: string): Param {
  const equals = pair.indexOf('=');
  if (equals < 0) throw usage('each parameter must be name=value, such as forum=news');
  return [pair.slice(0, equals), pair.slice(equals + 1)];
}

function usage(message: string): CommandError {
  return new CommandError(message, exitStatus.usage);
}
