/** JSON bodies: UTF-8, bounded in size and depth, not compressed; also those that an application around this one parsed. */

import express, { type RequestHandler } from 'express';
import { isWithinJsonDepth } from '../lib/json-depth.ts';
import { hasBody } from './has-body.ts';
import { inOrder } from './in-order.ts';
import { ProblemError } from './problem-error.ts';

/** One code point is at most two escapes of six bytes. */
const BYTES_A_CODE_POINT = 12;

/** Room for the other members. */
const OVERHEAD_BYTES = 64 * 1024;

export function jsonBody(messageMaxLength: number): RequestHandler {
  // Bytes: a parser of texts would look for character sets, of which JSON has one.
  const read = express.raw({ limit: messageMaxLength * BYTES_A_CODE_POINT + OVERHEAD_BYTES, inflate: false, type: () => true });
  const take = inOrder(requireJson, read, parse);
  return (req, res, next) => {
    if (hasBody(req)) take(req, res, next);
    else next();
  };
}

/** What was read, here or by an application around this one, whose parser may have left something else than bytes. */
const parse: RequestHandler = (req, _res, next) => {
  const read = (req as { body?: unknown }).body;
  if (read !== undefined) req.body = parsed(read instanceof Uint8Array ? read : Buffer.from(typeof read === 'string' ? read : JSON.stringify(read)));
  next();
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parsed(bytes: Uint8Array): object {
  try {
    const text = utf8.decode(bytes);
    const value: unknown = isWithinJsonDepth(text) ? JSON.parse(text) : undefined;
    if (typeof value === 'object' && value !== null) return value;
  } catch {}
  throw new ProblemError('invalid-request');
}

/** RFC 8259, 8.1: JSON between systems is UTF-8. */
const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*(?:charset="?utf-8"?[ \t]*)?)?$/i;

const requireJson: RequestHandler = (req, _res, next) => {
  if (!JSON_IN_UTF8.test(req.get('Content-Type') ?? '')) throw new ProblemError('unsupported-media-type');
  next();
};
