/** A self-signed certificate for a server on loopback (X.509 v3, RFC 5280), made afresh, so that no key lies in the
 *  repository. Good for a day. */

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface SelfSigned {
  /** PEM. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
}

const HOUR_MS = 3_600_000;

/** For `127.0.0.1` and `localhost`. */
export function makeSelfSigned(): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
  const name = sequence(tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from('localhost')))));
  const validity = sequence(utcTime(Date.now() - HOUR_MS), utcTime(Date.now() + 24 * HOUR_MS));
  const alternativeNames = sequence(tagged(0x82, Buffer.from('localhost')), tagged(0x87, Buffer.from([127, 0, 0, 1])));
  const toBeSigned = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    tagged(0xa3, sequence(
      extension('551d11', alternativeNames),
      extension('551d13', sequence(tagged(0x01, Buffer.from([0xff])))),
    )),
  );
  const certificate = sequence(toBeSigned, ecdsaWithSha256, bitString(sign('sha256', toBeSigned, privateKey)));
  return { certificate: pem('CERTIFICATE', certificate), key: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string };
}

/** DER: a tag, a length in its shortest form, the content. */
function tagged(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(body.length < 0x100 ? 2 : 4, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

function sequence(...content: readonly Buffer[]): Buffer {
  return tagged(0x30, ...content);
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}

function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.from([0]), bytes);
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(objectId(id), tagged(0x04, value));
}

function utcTime(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/[-T:]|\.\d+/g, '').slice(2);
  return tagged(0x17, Buffer.from(digits));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
