/** `vestibule sign`: each step of a signature (interface 5.1), to be held against somebody else's. Sends nothing. */

import { readFile } from 'node:fs/promises';
import { authorizationHeader } from '../../signing/authorization-header.ts';
import { createNonce } from '../../signing/nonce.ts';
import { bodyHash, normalizeParams, type Param } from '../../signing/normalize-params.ts';
import { computeMac, normalizedRequestString, portOf } from '../../signing/request-string.ts';
import { SigningError } from '../../signing/signing-error.ts';
import { CommandError } from '../command-error.ts';
import { exitStatus } from '../exit-status.ts';
import { print } from '../print.ts';
import { compareSignature, isNonce, type Parting } from './compare.ts';
import { loadKeys, type Keys } from './load-keys.ts';
import { parseMacHeader, type MacHeader } from './parse-mac-header.ts';

export interface SignOptions {
  readonly method: string;
  readonly url: string;
  /** `name=value`, each. */
  readonly pairs: readonly string[];
  readonly accessTokenFile?: string;
  readonly nonce?: string;
  readonly compare?: string;
}

interface Wish {
  readonly method: string;
  readonly url: URL;
  readonly params: readonly Param[] | undefined;
  readonly nonce: string;
  readonly accessToken: string | undefined;
}

/** Stands where the token would. */
const TOKEN_MARK = '(the access token)';

/** @throws {CommandError | ConfigError} */
export async function sign(options: SignOptions): Promise<number> {
  const keys = await loadKeys();
  try {
    const theirs = options.compare === undefined ? undefined : parseComparison(options.compare);
    const wish = await parseWish(options, theirs);
    printSteps(wish, keys);
    return theirs === undefined ? exitStatus.ok : compare(wish, theirs, keys);
  } catch (error) {
    if (error instanceof SigningError) throw new CommandError(error.message, exitStatus.usage);
    throw error;
  }
}

function printSteps({ method, url, params, nonce, accessToken }: Wish, { publicKey, secretKey }: Keys): void {
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

/** Of what stands under the steps' values. */
const MARGIN = 26;

function printStep(step: number, name: string, value: string): void {
  print(`${step}  ${name}`.padEnd(MARGIN) + value);
}

function parseComparison(header: string): MacHeader {
  const theirs = parseMacHeader(header);
  if (typeof theirs === 'string') throw usage(`--compare: ${theirs}`);
  return theirs;
}

function compare(wish: Wish, theirs: MacHeader, keys: Keys): number {
  const parting = compareSignature(wish, theirs, keys);
  print('');
  if (parting) {
    print(`They part ways at step ${parting.step}: ${parting.words}.`);
    print(`${'   theirs'.padEnd(MARGIN)}${theirsAt(parting, theirs)}`);
    return exitStatus.failure;
  }
  print('They agree in every step.');
  const age = Math.round(Date.now() / 1000 - Number.parseFloat(theirs.nonce));
  if (Math.abs(age) > 300) print(`The nonce is ${age} s old by this machine's clock; the service takes it for 300 s.`);
  return exitStatus.ok;
}

/** What stands in the other header where the two part ways. */
function theirsAt({ step }: Parting, { id, nonce, bodyHash, mac }: MacHeader): string {
  return { 2: bodyHash, 3: nonce, 4: mac, 5: mac, 6: id }[step];
}

/** Without a nonce of its own the request takes over that of the signature it is compared with. */
async function parseWish(options: SignOptions, theirs?: MacHeader): Promise<Wish> {
  const { method, url: address, pairs, nonce, accessTokenFile } = options;
  if (nonce !== undefined && !isNonce(nonce)) throw usage('--nonce must be UNIX seconds, a colon and 1 to 32 characters');
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) throw usage('the address must be whole, such as https://comments.example/api/3.0/posts/create.json');
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
  if (equals < 0) throw usage('each parameter must be name=value');
  return [pair.slice(0, equals), pair.slice(equals + 1)];
}

async function readToken(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trimEnd();
  } catch {
    throw usage('--access-token-file: the file cannot be read');
  }
}

function usage(words: string): CommandError {
  return new CommandError(words, exitStatus.usage);
}
