/** `vestibule sign`: prints each step of a signature (interface 5.1) and compares it with another one. Sends nothing. */

import { readFile } from 'node:fs/promises';
import { bodyHash, normalizeParams, SigningError, type Param } from '../../signing/normalize-params.ts';
import { authorizationHeader, computeMac, createNonce, normalizedRequestString, portOf } from '../../signing/sign-request.ts';
import { CommandError, exitStatus, print } from '../command.ts';
import { compareSignature, isNonce, type Mismatch } from './compare.ts';
import { loadKeys, type Keys } from './load-keys.ts';
import { parseMacHeader, type MacHeader } from './parse-mac-header.ts';

export interface SignOptions {
  readonly method: string;
  readonly url: string;
  /** Each `name=value`. */
  readonly pairs: readonly string[];
  readonly accessTokenFile?: string;
  readonly nonce?: string;
  readonly compare?: string;
}

interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly params: readonly Param[] | undefined;
  readonly nonce: string;
  readonly accessToken: string | undefined;
}

/** Printed instead of the token. */
const TOKEN_MARK = '(the access token)';

/** @throws {CommandError | ConfigError} */
export async function sign(options: SignOptions): Promise<number> {
  const keys = await loadKeys();
  try {
    const theirs = options.compare === undefined ? undefined : parseComparison(options.compare);
    const request = await parseRequest(options, theirs);
    printSteps(request, keys);
    return theirs === undefined ? exitStatus.ok : compare(request, theirs, keys);
  } catch (error) {
    if (error instanceof SigningError) throw new CommandError(error.message, exitStatus.usage);
    throw error;
  }
}

function printSteps({ method, url, params, nonce, accessToken }: UnsignedRequest, { publicKey, secretKey }: Keys): void {
  const normalized = params && normalizeParams(params);
  const hash = normalized === undefined ? '' : bodyHash(normalized);
  const requestString = normalizedRequestString({
    nonce, method, path: url.pathname + url.search, host: url.hostname, port: portOf(url), bodyHash: hash,
  });
  const mac = computeMac(requestString, secretKey);
  printStep(1, 'normalized parameters', normalized ?? '(no body)');
  printStep(2, 'body hash', hash === '' ? '(empty: no body)' : hash);
  printStep(3, 'nonce', nonce);
  const [first = '', ...lines] = requestString.split('\n').slice(0, -1).map((line) => `${line}\\n`);
  printStep(4, 'request string', first);
  for (const line of lines) print(`${' '.repeat(MARGIN)}${line}`);
  printStep(5, 'MAC', mac);
  const token = accessToken === undefined ? {} : { accessToken };
  authorizationHeader({ id: publicKey, nonce, bodyHash: hash, mac, ...token });
  const shown = accessToken === undefined ? {} : { accessToken: TOKEN_MARK };
  printStep(6, 'Authorization', authorizationHeader({ id: publicKey, nonce, bodyHash: hash, mac, ...shown }));
}

/** Column of the values. */
const MARGIN = 26;

function printStep(step: number, name: string, value: string): void {
  print(`${step}  ${name}`.padEnd(MARGIN) + value);
}

function parseComparison(header: string): MacHeader {
  const theirs = parseMacHeader(header);
  if (typeof theirs === 'string') throw usage(`--compare: ${theirs}`);
  return theirs;
}

function compare(request: UnsignedRequest, theirs: MacHeader, keys: Keys): number {
  const mismatch = compareSignature(request, theirs, keys);
  print('');
  if (mismatch) {
    print(`The signatures differ at step ${mismatch.step}: ${mismatch.message}.`);
    print(`${'   theirs'.padEnd(MARGIN)}${theirsAt(mismatch, theirs)}`);
    return exitStatus.failure;
  }
  print('The signatures are equal in every step.');
  const age = Math.round(Date.now() / 1000 - Number.parseFloat(theirs.nonce));
  if (Math.abs(age) > 300) print(`The nonce is ${age} s old by this machine's clock; the service accepts it for 300 s.`);
  return exitStatus.ok;
}

/** The value of the other header at the step that differs. */
function theirsAt({ step }: Mismatch, { id, nonce, bodyHash, mac }: MacHeader): string {
  return { 2: bodyHash, 3: nonce, 4: mac, 5: mac, 6: id }[step];
}

/** Uses the nonce of the compared signature unless `--nonce` is given. */
async function parseRequest(options: SignOptions, theirs?: MacHeader): Promise<UnsignedRequest> {
  const { method, url: address, pairs, nonce, accessTokenFile } = options;
  if (nonce !== undefined && !isNonce(nonce)) throw usage('--nonce must be UNIX seconds, a colon and 1 to 32 characters');
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) throw usage('the URL must be absolute, such as https://comments.example/api/3.0/posts/create.json');
  const params = pairs.map(parsePair);
  const inQuery = /^(?:get|head)$/i.test(method);
  if (inQuery && params.length > 0) url.search = normalizeParams([...url.searchParams, ...params]);
  return {
    method,
    url,
    params: inQuery ? undefined : params,
    nonce: nonce ?? (theirs && isNonce(theirs.nonce) ? theirs.nonce : createNonce()),
    accessToken: accessTokenFile === undefined ? undefined : await readToken(accessTokenFile),
  };
}

function parsePair(pair: string): Param {
  const equals = pair.indexOf('=');
  if (equals < 0) throw usage('each parameter must be name=value, such as forum=news');
  return [pair.slice(0, equals), pair.slice(equals + 1)];
}

async function readToken(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trimEnd();
  } catch {
    throw usage('--access-token-file: the file cannot be read; check its path and permissions');
  }
}

function usage(message: string): CommandError {
  return new CommandError(message, exitStatus.usage);
}
