/** JSON bodies: UTF-8, bounded in size and depth, not compressed; also those that an application around this one parsed. */

import { isUtf8 } from 'node:buffer';
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
  const parse = express.json({
    limit: messageMaxLength * BYTES_A_CODE_POINT + OVERHEAD_BYTES,
    strict: true,
    inflate: false,
    type: () => true,
    verify: (_req, _res, bytes) => {
      if (!isUtf8(bytes) || !isWithinJsonDepth(bytes)) throw new ProblemError('invalid-request');
    },
  });
  const take = inOrder(requireJson, takeOver, parse);
  return (req, res, next) => {
    if (hasBody(req)) take(req, res, next);
    else next();
  };
}

/** An application around this one may have read the body already. What its parser left must pass the same checks. */
const takeOver: RequestHandler = (req, _res, next) => {
  const left = (req as { body?: unknown }).body;
  if (left !== undefined) req.body = parsedOnce(left);
  next();
};

function parsedOnce(left: unknown): unknown {
  try {
    const bytes = left instanceof Uint8Array ? left : Buffer.from(typeof left === 'string' ? left : JSON.stringify(left));
    if (isUtf8(bytes) && isWithinJsonDepth(bytes)) {
      const value: unknown = JSON.parse(Buffer.from(bytes).toString());
      if (typeof value === 'object' && value !== null) return value;
    }
  } catch {}
  throw new ProblemError('invalid-request');
}

/** RFC 8259, 8.1: JSON between systems is UTF-8. */
const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*(?:charset="?utf-8"?[ \t]*)?)?$/i;

const requireJson: RequestHandler = (req, _res, next) => {
  if (!JSON_IN_UTF8.test(req.get('Content-Type') ?? '')) throw new ProblemError('unsupported-media-type');
  next();
};
